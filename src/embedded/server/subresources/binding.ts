import { at, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { notSupported, required } from '#kube/field-error.ts';
import type { ApiResponse } from '#kube/http.ts';
import {
  annotationsOf,
  isDeleting,
  labelsOf,
  nameOf as objectName,
  withMeta,
  type KubeObject,
} from '#kube/object.ts';
import { ApiError, conflict, notFound } from '#kube/status.ts';
import { json } from '#embedded/server/request/answer.ts';
import { nameOf, namespaceOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import { commit } from '#embedded/server/verbs/create.ts';
import { decodeBody } from '#embedded/server/write/decode.ts';
import { expectedKind } from '#embedded/server/write/expected.ts';
import { bodyType } from '#embedded/server/write/media-type.ts';
import { readBody } from '#embedded/server/write/read-body.ts';
import { writeOptions } from '#embedded/server/write/write-options.ts';

/** POST to `pods/NAME/binding` or `bindings`: gives a pod its node, once. */
export async function bind(context: ServerContext, call: Call): Promise<ApiResponse> {
  const options = writeOptions(call, 'CreateOptions');
  const type = bodyType(call.request.headers['content-type'], false);
  const { object: binding } = decodeBody(
    context,
    await readBody(call.request),
    type,
    expectedKind('', 'v1', 'Binding'),
  );
  checkTarget(binding);
  const name = nameOf(call) || objectName(binding);
  const key = `${namespaceOf(call)}/${name}`;
  const write = (transaction: Transaction): Stored =>
    transaction.put('/pods', key, bound(context, binding, find(transaction.get('/pods', key)?.object, name)));
  await commit(context, options.dryRun, write);
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

function find(pod: KubeObject | undefined, name: string): KubeObject {
  if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  return pod;
}

function checkTarget(binding: JsonObject): void {
  const kind = textAt(binding, 'target', 'kind') ?? '';
  const errors = [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...((textAt(binding, 'target', 'name') ?? '') === '' ? [required('target.name')] : []),
  ];
  if (errors.length === 0) return;
  const texts = errors.map((error) => `${error.field}: ${error.message}`);
  throw new ApiError({
    code: 500,
    reason: '',
    message: texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`,
  });
}

/** The pod with its node, the binding's labels and annotations, and the condition PodScheduled. */
function bound(context: ServerContext, binding: JsonObject, pod: KubeObject): KubeObject {
  refuseUnbindable(pod, textAt(binding, 'metadata', 'uid') ?? '');
  const annotations = { ...annotationsOf(pod), ...annotationsOf(binding) };
  const labels = { ...labelsOf(pod), ...labelsOf(binding) };
  const marked = withMeta(pod, {
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  });
  return {
    ...marked,
    spec: { ...objectAt(pod, 'spec'), nodeName: textAt(binding, 'target', 'name') ?? '' },
    status: { ...objectAt(pod, 'status'), conditions: scheduled(context, pod) },
  };
}

function scheduled(context: ServerContext, pod: KubeObject): Json {
  const conditions = listAt(pod, 'status', 'conditions');
  const old = conditions.find((each) => at(each, 'type') === 'PodScheduled');
  const lastTransitionTime =
    at(old, 'status') === 'True' ? (at(old, 'lastTransitionTime') ?? null) : formatTime(context.clock.now());
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime };
  return [...conditions.filter((each) => each !== old), condition];
}

function refuseUnbindable(pod: KubeObject, uid: string): void {
  const name = objectName(pod);
  const refuse = (why: string): ApiError => conflict({ group: '', resource: 'pods/binding' }, name, why);
  if (uid !== '' && uid !== at(pod, 'metadata', 'uid'))
    throw refuse(`pod ${name} has another uid than the binding`);
  if (isDeleting(pod)) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  const node = textAt(pod, 'spec', 'nodeName') ?? '';
  if (node !== '') throw refuse(`pod ${name} is already assigned to node "${node}"`);
  if (listAt(pod, 'spec', 'schedulingGates').length > 0)
    throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
}
