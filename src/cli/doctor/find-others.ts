import { listAt, objectAt, textAt, type Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { Instant } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { resourceOf } from '#hooks/kinds/resources.ts';
import { isHarmlessManager, statusWriters } from '#kube/metadata/status-writers.ts';
import { annotationsOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { endpoints } from '#loop/owned/resources.ts';
import type { Kind } from '#schema/kind/kind.ts';
import { holderOf } from './held-lock.ts';
import { otherOperators, type OtherTraces } from './other-operators.ts';

const resource = (group: string, plural: string, namespaced = false): Resource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
});
const leases = resource('coordination.k8s.io', 'leases', true);
const services = resource('apiregistration.k8s.io', 'apiservices');
const webhookKinds = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const;

type Looking = {
  readonly client: Pick<KubeClient, 'get' | 'list' | 'pages'>;
  /** By the clock of the server. */
  readonly now: Instant;
  readonly signal: AbortSignal;
  /** The kinds that our controllers reconcile. */
  readonly kinds: readonly Kind[];
};

/** Objects of a kind that are looked at. */
const sample = 100;

/** Looks for other controllers of our kinds. What the user may not read is not found. */
export async function findOthers(looking: Looking, ownNamespace: string): Promise<OtherTraces> {
  const groups = new Set(looking.kinds.map(({ group }) => group));
  return {
    leaders: await leadersIn(looking),
    installations: (await all(looking, leases, 'metadata.name=boathook-controller'))
      .filter((lease) => namespaceOf(lease) !== ownNamespace)
      .filter((lease) => holderOf(objectAt(lease, 'spec'), looking.now) !== undefined)
      .map((lease) => `${namespaceOf(lease)}/${nameOf(lease)}`),
    writes: await writesIn(looking),
    webhooks: await webhooksIn(looking, groups),
    services: (await all(looking, services)).flatMap((each) => serviceOf(each, groups)),
  };
}

async function all(
  { client, signal }: Looking,
  of: Resource,
  fieldSelector?: string,
): Promise<readonly KubeObject[]> {
  const listed = await client.list(of, { fieldSelector }, signal);
  return listed.type === 'ok' ? listed.items : [];
}

async function leadersIn({ client, now, signal }: Looking): Promise<OtherTraces['leaders']> {
  const found = await Promise.all(
    otherOperators.map(async (operator) => {
      const key = { namespace: operator.namespace, name: operator.lock };
      const lease = await client.get(leases, key, signal);
      const old = await client.get(endpoints, key, signal);
      const locks = [
        ...(lease.type === 'ok' ? [objectAt(lease.object, 'spec') ?? {}] : []),
        ...(old.type === 'ok' ? [recordIn(old.object)] : []),
      ];
      const holder = locks.map((lock) => holderOf(lock, now)).find((each) => each !== undefined);
      return holder === undefined ? [] : [{ operator, holder }];
    }),
  );
  return found.flat();
}

/** Before there were Leases, leaders kept the same record in an annotation. */
function recordIn(object: KubeObject): Json {
  const text = annotationsOf(object)['control-plane.alpha.kubernetes.io/leader'];
  try {
    return text === undefined ? {} : parseJson(text);
  } catch {
    return {};
  }
}

async function writesIn({ client, kinds, signal }: Looking): Promise<OtherTraces['writes']> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      for await (const page of client.pages(resourceOf(kind), { pageSize: sample }, signal))
        return page.type === 'page' ? page.items.flatMap((object) => writeOf(kind.kind, object)) : [];
      return [];
    }),
  );
  return found.flat();
}

/** The last write of the status, if it is not ours although we have written it. */
function writeOf(kind: string, object: KubeObject): OtherTraces['writes'] {
  const writers = statusWriters(object).toSorted((left, right) => left.time - right.time);
  const own = writers.findLast(({ manager }) => manager.startsWith('boathook'));
  const last = writers.findLast(({ manager }) => !isHarmlessManager(manager));
  if (own === undefined || last === undefined || last.time <= own.time) return [];
  const place = namespaceOf(object) === '' ? nameOf(object) : `${namespaceOf(object)}/${nameOf(object)}`;
  return [{ object: `${kind} ${place}`, ...last }];
}

async function webhooksIn(looking: Looking, groups: ReadonlySet<string>): Promise<readonly string[]> {
  const found = await Promise.all(
    webhookKinds.map(async (kind) => {
      const objects = await all(looking, resource('admissionregistration.k8s.io', `${kind.toLowerCase()}s`));
      return objects.filter((each) => isForOurs(each, groups)).map((object) => `${kind} ${nameOf(object)}`);
    }),
  );
  return found.flat();
}

const isForOurs = (configuration: KubeObject, groups: ReadonlySet<string>): boolean =>
  listAt(configuration, 'webhooks').some((webhook) =>
    listAt(webhook, 'rules').some((rule) =>
      listAt(rule, 'apiGroups').some((group) => typeof group === 'string' && groups.has(group)),
    ),
  );

function serviceOf(object: KubeObject, groups: ReadonlySet<string>): readonly string[] {
  const group = textAt(object, 'spec', 'group') ?? '';
  const service = objectAt(object, 'spec', 'service');
  if (service === undefined || !groups.has(group)) return [];
  return [`${group} is served by ${textAt(service, 'namespace')}/${textAt(service, 'name')}`];
}
