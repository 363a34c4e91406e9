import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { parseTime } from '#base/time.ts';
import { kinds } from '#cli/kinds.ts';
import { systemClock } from '#edge/clock.ts';
import { nameOf, namespaceOf, withMeta } from '#kube/object.ts';
import { crdName, crdOf } from '#schema/kind/crd.ts';
import { removeNamespace, untilGone, type SendPlain } from './own-objects.ts';
import { runLabel } from './prefixed.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** What is wrong with the cluster, so that no story can run there; undefined: nothing. */
export async function objection(send: SendPlain): Promise<string | undefined> {
  const { status, body } = await send('GET', '/apis/coordination.k8s.io/v1/leases');
  if (status !== 200)
    return `the Leases cannot be listed: ${textAt(body, 'message')}. Use the kubeconfig of an administrator`;
  const held = listAt(body, 'items').filter(isObject).find(isHeldByUs);
  if (held === undefined) return undefined;
  return (
    `Boathook's controllers already run in this cluster (Lease ${namespaceOf(held)}/${nameOf(held)}): ` +
    'they would act on the objects of the tests too. Stop them, or use another cluster'
  );
}

function isHeldByUs(lease: JsonObject): boolean {
  const renewed = parseTime(textAt(lease, 'spec', 'renewTime') ?? '');
  if (!nameOf(lease).startsWith('boathook-controller') || !textAt(lease, 'spec', 'holderIdentity'))
    return false;
  const lasts = numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 15;
  return renewed !== undefined && systemClock.now() - renewed < 2 * lasts * 1000;
}

/** Makes those definitions of the product's kinds that the cluster does not have. */
export async function makeDefinitions(send: SendPlain, run: string): Promise<readonly string[]> {
  const made: string[] = [];
  for (const kind of kinds) {
    const name = crdName(kind);
    if ((await send('GET', `${definitions}/${name}`)).status === 200) continue;
    const { status, body } = await send(
      'POST',
      definitions,
      withMeta(crdOf(kind), { labels: { [runLabel]: run } }),
    );
    if (status !== 201) throw new Error(`the definition ${name} cannot be made: ${textAt(body, 'message')}`);
    made.push(name);
  }
  for (const name of made) await untilEstablished(send, name);
  return made;
}

async function untilEstablished(send: SendPlain, name: string): Promise<void> {
  const isEstablished = (object: JsonObject): boolean =>
    listAt(object, 'status', 'conditions').some(
      (each) => textAt(each, 'type') === 'Established' && textAt(each, 'status') === 'True',
    );
  for (let tries = 0; !isEstablished((await send('GET', `${definitions}/${name}`)).body); tries += 1) {
    if (tries > 600) throw new Error(`the definition ${name} was not established within a minute`);
    await sleep(100);
  }
}

/** Whether controllers of Kubernetes run in the cluster: they give every namespace a service account. */
export async function hasOwnControllers(send: SendPlain, run: string): Promise<boolean> {
  const name = `bt-${run}-probe`;
  const metadata = { name, labels: { [runLabel]: run } };
  const { status, body } = await send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata,
  });
  if (status !== 201) throw new Error(`no namespace can be made: ${textAt(body, 'message')}`);
  let isFound = false;
  for (let tries = 0; tries < 30 && !isFound; tries += 1) {
    await sleep(100);
    isFound = (await send('GET', `/api/v1/namespaces/${name}/serviceaccounts/default`)).status === 200;
  }
  await removeNamespace(send, name, isFound);
  await untilGone(send, `/api/v1/namespaces/${name}`);
  return isFound;
}
