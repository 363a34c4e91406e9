import { forbidden, required } from '#kube/field-error.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ApiResponse } from '#kube/http.ts';
import { invalidObject } from '#kube/status.ts';
import { keyOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { objectFormat } from '#embedded/server/request/negotiate.ts';
import { flag } from '#embedded/server/request/request-options.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import { expectedOf } from '#embedded/server/write/expected.ts';
import {
  applyPatch,
  checkBuiltin,
  checkCustom,
  judgeOutcome,
  parsePatch,
  type ParsedPatch,
} from '#embedded/server/write/patched.ts';
import { patchType, type PatchType } from '#embedded/server/write/patch-type.ts';
import { readText } from '#embedded/server/write/read-body.ts';
import { updateObject } from '#embedded/server/write/update-object.ts';
import { warnOf } from '#embedded/server/write/warn.ts';
import { writeOptions, writeParts, type WriteRequestOptions } from '#embedded/server/write/write-options.ts';
import { apply } from './apply.ts';
import { commit } from './create.ts';
import { missing, objectAnswer } from './get.ts';

/** PATCH of an object or of its status, in any of the four forms. */
export async function patch(context: ServerContext, call: Call): Promise<ApiResponse> {
  const format = objectFormat(call.request.headers['accept']);
  const type = patchType(call.request.headers['content-type'], call.resource);
  const options = patchOptions(call, type);
  if (type === 'apply') return apply(context, call, options, format);
  const parsed = parsePatch(type, await readText(call.request));
  const stored = await commit(context, options.dryRun, (transaction) =>
    patchStored(context, transaction, { call, parsed, options }),
  );
  warnOf(call, stored);
  return objectAnswer(context, call, { status: 200, stored, format });
}

/** Options of a patch; `fieldManager` and `force` have rules of their own. */
export function patchOptions(call: Call, type: PatchType): WriteRequestOptions {
  const isApply = type === 'apply';
  const errors = [
    ...(isApply && (call.query.get('fieldManager') ?? '') === ''
      ? [required('fieldManager', 'is required for apply patch')]
      : []),
    ...(!isApply && flag(call.query, 'force')
      ? [forbidden('force', 'may not be specified for non-apply patch')]
      : []),
  ];
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', errors);
  return writeOptions(call, 'PatchOptions');
}

type Patching = { readonly call: Call; readonly parsed: ParsedPatch; readonly options: WriteRequestOptions };

function patchStored(
  context: ServerContext,
  transaction: Transaction,
  { call, parsed, options }: Patching,
): Stored {
  const { resource } = call;
  const stored = transaction.get(resource.storage, keyOf(call));
  if (stored === undefined) throw missing(call);
  const next = (live: KubeObject): KubeObject => {
    const outcome = applyPatch(parsed, resource.shape(), live);
    const object =
      resource.source.type === 'builtin'
        ? checkBuiltin(parsed, expectedOf(resource), outcome)
        : checkCustom(call, parsed, outcome);
    judgeOutcome(call, parsed, object, options.validation);
    return object;
  };
  return updateObject(context, transaction, {
    ...writeParts(call, options),
    stored,
    next,
    needsRevision: false,
  });
}
