import { listAt, numberAt, objectAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { annotationsOf, nameOf, namespaceOf } from '#kube/object.ts';
import { admitPriority, keepPriority } from '#embedded/kinds/rules/admission-priority.ts';
import { accountNameOf, admitServiceAccount } from '#embedded/kinds/rules/admission-service-account.ts';
import { allocateService } from '#embedded/kinds/rules/admission-service.ts';
import { defaultTolerations } from '#embedded/kinds/rules/admission-tolerations.ts';
import { forbiddenAccess, invalidObject, type ApiError } from '#kube/status.ts';
import type { ServerContext } from '#embedded/server/request/call.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import { shapedObject } from './shaped-object.ts';

export type Admission = {
  readonly resource: ApiResource;
  readonly object: KubeObject;
  /** Undefined for a create. */
  readonly old: KubeObject | undefined;
};

/** What the server adds to an object before it is validated. */
export function admit(context: ServerContext, transaction: Transaction, admission: Admission): KubeObject {
  const { resource, object, old } = admission;
  if (resource.storage === '/persistentvolumeclaims' && old === undefined)
    return withClass(transaction, object);
  if (resource.storage !== '/pods') return object;
  return old === undefined ? admitPod(context, transaction, admission) : keepPriority(object, old);
}

const defaultClass = 'storageclass.kubernetes.io/is-default-class';

/** A claim that names no class gets the default one, the newest if there are several. */
function withClass(transaction: Transaction, claim: KubeObject): KubeObject {
  const spec = objectAt(claim, 'spec') ?? {};
  if (spec['storageClassName'] !== undefined) return claim;
  const [newest] = [...transaction.table('storage.k8s.io/storageclasses').range(undefined)]
    .filter((each) => annotationsOf(each.object)[defaultClass] === 'true')
    .toSorted((left, right) => right.revision - left.revision);
  return newest === undefined ? claim : { ...claim, spec: { ...spec, storageClassName: newest.name } };
}

function admitPod(
  context: ServerContext,
  transaction: Transaction,
  { resource, object }: Admission,
): KubeObject {
  const account = transaction.get('/serviceaccounts', `${namespaceOf(object)}/${accountNameOf(object)}`);
  if (account === undefined) throw forbiddenPod(object, missingAccount(object));
  const served = admitServiceAccount(object, { account: account.object, random: context.random });
  const classes = transaction.table('scheduling.k8s.io/priorityclasses');
  const verdict = admitPriority(defaultTolerations(served), {
    byName: (name) => classes.get(`/${name}`)?.object,
    globalDefault: [...classes.range(undefined)]
      .map((each) => each.object)
      .find((each) => each['globalDefault'] === true),
  });
  if (verdict.type === 'refused') throw forbiddenPod(object, verdict.why);
  // Admission may add volumes and more; what it adds gets its defaults too.
  return shapedObject(resource, verdict.pod);
}

const missingAccount = (pod: KubeObject): string =>
  `error looking up service account ${namespaceOf(pod)}/${accountNameOf(pod)}: serviceaccount "${accountNameOf(pod)}" not found`;

const forbiddenPod = (pod: KubeObject, why: string): ApiError =>
  forbiddenAccess({ group: '', resource: 'pods' }, nameOf(pod), why);

const serviceRange = '10.0.0.0/16';

/** What a valid object gets from the cluster's pools: addresses and node ports of services. */
export function allocate(context: ServerContext, transaction: Transaction, admission: Admission): KubeObject {
  const { resource, object, old } = admission;
  if (resource.storage !== '/services') return object;
  const services = transaction.table('/services');
  const own = `${namespaceOf(object)}/${nameOf(object)}`;
  const isTaken = (word: string): boolean => [...services.having(poolWords, word)].some((key) => key !== own);
  const allocation = allocateService(
    object,
    {
      random: context.random,
      range: serviceRange,
      dryRun: transaction.rehearsal,
      isAddressTaken: isTaken,
      isPortTaken: (port) => isTaken(String(port)),
    },
    old,
  );
  if (allocation.type === 'refused') throw invalidObject(resource, nameOf(object), allocation.errors);
  return allocation.object;
}

/** What a service holds of the pools: its addresses and its node ports. */
const poolWords = (service: KubeObject): readonly string[] => [
  ...listAt(service, 'spec', 'clusterIPs').filter((each) => typeof each === 'string'),
  ...listAt(service, 'spec', 'ports')
    .flatMap((each) => numberAt(each, 'nodePort') ?? [])
    .map(String),
];
