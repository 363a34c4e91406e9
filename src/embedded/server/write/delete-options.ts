import { isObject, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { invalid, notSupported, type FieldError } from '#kube/field-error.ts';
import { badRequest, invalidObject } from '#kube/status.ts';
import { integer } from '#embedded/server/request/request-options.ts';
import type { Call, ServerContext } from '#embedded/server/request/call.ts';
import { decodeBody } from './decode.ts';
import { bodyType } from './media-type.ts';
import { readBody } from './read-body.ts';
import { dryRunErrors } from './write-options.ts';

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export type DeleteOptions = {
  readonly graceSeconds: number | undefined;
  readonly propagation: Propagation | undefined;
  readonly uid: string | undefined;
  readonly revision: string | undefined;
  readonly dryRun: boolean;
};

const typeName = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** Options from the body, or from the query when there is no body. */
export async function deleteOptions(context: ServerContext, call: Call): Promise<DeleteOptions> {
  const bytes = await readBody(call.request);
  const given = bytes.length === 0 ? fromQuery(call.query) : fromBody(context, call, bytes);
  const dryRun = [...call.query.getAll('dryRun'), ...textList(given['dryRun'])];
  const errors = [...dryRunErrors(dryRun), ...propagationErrors(given)];
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return {
    graceSeconds: numberAt(given, 'gracePeriodSeconds'),
    propagation: propagationOf(given),
    uid: textAt(given, 'preconditions', 'uid'),
    revision: textAt(given, 'preconditions', 'resourceVersion'),
    dryRun: dryRun.length > 0,
  };
}

const textList = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter((each) => typeof each === 'string') : [];

function fromQuery(query: URLSearchParams): JsonObject {
  const grace = integer(query, 'gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const orphan = query.get('orphanDependents');
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(orphan === null ? {} : { orphanDependents: orphan === 'true' || orphan === '1' }),
  };
}

/** DeleteOptions exist in every group version; typed clients name their own. */
function fromBody(context: ServerContext, call: Call, bytes: Uint8Array): JsonObject {
  const type = bodyType(call.request.headers['content-type'], false);
  const { object } = decodeBody(context, bytes, type, {
    group: '',
    version: 'v1',
    apiVersion: 'v1',
    anyVersion: true,
    kind: 'DeleteOptions',
    typeName,
    isKnownKind: (kind) => kind === 'DeleteOptions',
  });
  if (!isObject(object)) throw badRequest('the body of a delete must be DeleteOptions');
  return object;
}

const policies = ['Background', 'Foreground', 'Orphan'];

function propagationErrors(given: JsonObject): readonly FieldError[] {
  const policy = given['propagationPolicy'];
  if (policy === undefined || policy === null || policy === '') return [];
  if (given['orphanDependents'] !== undefined && given['orphanDependents'] !== null) {
    return [
      invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    ];
  }
  if (typeof policy === 'string' && policies.includes(policy)) return [];
  return [notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil'])];
}

function propagationOf(given: JsonObject): Propagation | undefined {
  const policy = given['propagationPolicy'];
  if (policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') return policy;
  const orphan = given['orphanDependents'];
  if (typeof orphan !== 'boolean') return undefined;
  return orphan ? 'Orphan' : 'Background';
}
