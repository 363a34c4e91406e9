import { textAt, type JsonObject } from '#base/json.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import type { BoundKind, BoundObject } from '#embedded/server/rbac/account-claims.ts';
import { badRequest, conflict, notFound } from '#kube/status.ts';
import { nameOf, namespaceOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';

const boundKinds: Readonly<Record<string, BoundKind>> = { Pod: 'pod', Secret: 'secret', Node: 'node' };

/** The objects that a token is bound to by a request's reference; a pod brings its node. */
export function boundObjects(
  context: ServerContext,
  call: Call,
  ref: JsonObject | undefined,
): readonly BoundObject[] {
  if (ref === undefined) return [];
  const [apiVersion, refKind] = [textAt(ref, 'apiVersion') ?? '', textAt(ref, 'kind') ?? ''];
  const kind = apiVersion === 'v1' ? boundKinds[refKind] : undefined;
  if (kind === undefined)
    throw badRequest(`cannot bind token to object of type ${typeText(apiVersion, refKind)}`);
  const name = textAt(ref, 'name') ?? '';
  const object = find(context, call, kind, name);
  if (kind === 'pod') checkPod(call, object);
  const uid = textAt(ref, 'uid') ?? '';
  if (uid !== '' && uid !== uidOf(object)) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', resource: refKind }, name, why);
  }
  const bound = { kind, name, uid: uidOf(object) };
  return kind === 'pod' ? [bound, ...nodeOf(context, object)] : [bound];
}

function find(context: ServerContext, call: Call, kind: BoundKind, name: string): KubeObject {
  const place = kind === 'node' ? '' : namespaceOf(call);
  const stored = context.store.table(`/${kind}s`).get(`${place}/${name}`);
  if (stored === undefined) throw notFound({ group: '', resource: `${kind}s` }, name);
  return stored.object;
}

function checkPod(call: Call, pod: KubeObject): void {
  if (textAt(pod, 'spec', 'serviceAccountName') === nameOf(call)) return;
  throw badRequest(
    `cannot bind token for serviceaccount "${nameOf(call)}" to pod running with different serviceaccount name.`,
  );
}

function nodeOf(context: ServerContext, pod: KubeObject): readonly BoundObject[] {
  const name = textAt(pod, 'spec', 'nodeName') ?? '';
  if (name === '') return [];
  const node = context.store.table('/nodes').get(`/${name}`);
  return [{ kind: 'node', name, uid: node === undefined ? '' : uidOf(node.object) }];
}

/** As Go prints a kind of a version. */
function typeText(apiVersion: string, kind: string): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return `${group}/${version}, Kind=${kind}`;
}
