import type { JsonObject } from '#base/json.ts';
import { textAt } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import {
  explainedOutage,
  mustBe,
  openCluster,
  type ClusterFlags,
  type OpenCluster,
} from '#command/open-cluster.ts';
import { printJson, printLine, wantsJson } from '#command/print.ts';
import { systemClock } from '#edge/clock.ts';
import { accountGroups, accountUserName } from '#kube/user.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { hookTemplates, resourceOf } from '#hooks/kinds/resources.ts';
import { shardLeaseLabel } from '#loop/shards/shard.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { checkClock, serverTime } from './doctor/check-clock.ts';
import { checkControllers, installedScope, type InstalledScope } from './doctor/check-controllers.ts';
import { checkHooks } from './doctor/check-hooks.ts';
import { checkKinds, foreignKinds } from './doctor/check-kinds.ts';
import { checkLeader } from './doctor/check-leader.ts';
import { checkOthers } from './doctor/check-others.ts';
import { checkRights } from './doctor/check-rights.ts';
import { checkShards, shardsIn } from './doctor/check-shards.ts';
import { checkVersion } from './doctor/check-version.ts';
import { isHealthy, type Diagnosis } from './doctor/diagnosis.ts';
import { findOthers } from './doctor/find-others.ts';
import { hookAddresses } from './doctor/hook-addresses.ts';
import { reachOf } from './doctor/reach.ts';
import { installRights, wishedRights } from './doctor/wished-rights.ts';
import { kinds } from './kinds.ts';
import { productKinds } from './product-kinds.ts';
import { remedyOf, servedKinds, type ServedKind } from './served-kinds.ts';

export type DoctorFlags = ClusterFlags & {
  readonly output?: string;
  readonly namespace: string;
};

const name = 'boathook-controller';
const deployments: Resource = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const leases: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };

/** How long a cluster may take to answer, in milliseconds. */
const patience = 30_000;

/** `boathook doctor`: checks a cluster before and after the installation. */
export async function doctor(flags: DoctorFlags): Promise<number> {
  const isJson = wantsJson(flags);
  const cluster = openCluster(flags, 'boathook-doctor');
  try {
    const report = await examine(cluster, flags.namespace);
    if (isJson) printJson(jsonOf(cluster.server, report));
    else for (const line of linesOf(cluster.server, report)) printLine(line);
    return isHealthy(report.diagnoses) ? 0 : 1;
  } catch (error) {
    throw explainedOutage(error, cluster.server);
  } finally {
    await cluster.close();
  }
}

type Report = { readonly isInstalled: boolean; readonly diagnoses: readonly Diagnosis[] };

/** What the checks know about the cluster. */
type Seen = OpenCluster & {
  readonly ownNamespace: string;
  readonly served: readonly ServedKind[];
  /** By the clock of the server, as far as it tells. */
  readonly now: Instant;
  readonly signal: AbortSignal;
};

async function examine(cluster: OpenCluster, ownNamespace: string): Promise<Report> {
  const signal = AbortSignal.timeout(patience);
  const { client, transport } = cluster;
  const version = textAt(
    mustBe(await client.raw('/version', signal), 'the version of the cluster'),
    'gitVersion',
  );
  const answer = await transport({ method: 'GET', path: '/version', query: '', headers: {}, signal });
  await answer.text();
  const { date } = answer.headers;
  const local = systemClock.now();
  const served = await servedKinds(client, kinds, signal);
  const deployment = await found(cluster, deployments, { namespace: ownNamespace, name }, signal);
  const lease = await found(cluster, leases, { namespace: ownNamespace, name }, signal);
  const isInstalled = deployment !== undefined || lease !== undefined;
  const seen: Seen = { ...cluster, ownNamespace, served, now: serverTime(date) ?? local, signal };
  return {
    isInstalled,
    diagnoses: [
      checkVersion(version ?? ''),
      checkClock(local, date),
      ...(isInstalled ? await after(seen, { deployment, lease }) : await before(seen)),
      checkOthers(await findOthers({ ...seen, kinds: productKinds }, ownNamespace), isInstalled),
    ],
  };
}

/** Before the installation: whether the user of the command can install, and what is there already. */
async function before({ client, ownNamespace, served, signal }: Seen): Promise<readonly Diagnosis[]> {
  const remedy = remedyOf(served);
  const kindsThere = served.some(({ state }) => state !== 'Missing')
    ? [remedy === undefined ? checkKinds(served, remedy) : foreignKinds(remedy)]
    : [];
  const whose = { user: undefined, called: 'you', remedy: 'Install as an administrator of the cluster.' };
  return [...kindsThere, await checkRights(client, installRights(ownNamespace), whose, signal)];
}

type InstalledObjects = {
  readonly deployment: KubeObject | undefined;
  readonly lease: KubeObject | undefined;
};

/** After it: whether everything is there and at work. */
async function after(seen: Seen, { deployment, lease }: InstalledObjects): Promise<readonly Diagnosis[]> {
  const { served } = seen;
  return [
    checkKinds(served, remedyOf(served)),
    ...(deployment === undefined ? [] : [checkControllers(deployment), await rightsIn(seen, deployment)]),
    await leaderOf(seen, lease),
    await hooksOf(seen),
  ];
}

/** The leader, or the holders of the shards. */
async function leaderOf(seen: Seen, lease: KubeObject | undefined): Promise<Diagnosis> {
  const { client, ownNamespace: namespace, now, signal } = seen;
  const shards = shardsIn(lease);
  if (shards === undefined) return checkLeader(lease, now, namespace);
  const listed = await client.list(
    leases,
    { namespace, labelSelector: `${shardLeaseLabel}=${name}` },
    signal,
  );
  if (listed.type === 'ok') return checkShards(listed.items, shards, { lease: name, namespace, now });
  return { check: 'leader', state: 'unknown', message: `The Leases of ${shards} shards cannot be listed.` };
}

function rightsIn({ client, ownNamespace, signal }: Seen, deployment: KubeObject): Promise<Diagnosis> {
  const scope = installedScope(deployment);
  const whose = {
    user: { name: accountUserName(ownNamespace, name), groups: accountGroups(ownNamespace) },
    called: 'the controllers',
    remedy: accessCommand(scope),
  };
  return checkRights(client, wishedRights(scope, ownNamespace), whose, signal);
}

const accessCommand = ({ names, namespaces }: InstalledScope): string =>
  `Grant it: boathook access --controllers ${[...names].join(',')}${namespaces === undefined ? '' : ` --namespaces ${namespaces.join(',')}`} | kubectl apply -f -`;

async function hooksOf(seen: Seen): Promise<Diagnosis> {
  const addresses = hookAddresses(
    await listed(seen, hookTemplates),
    await listed(seen, resourceOf(crdRegistration)),
  );
  return checkHooks(
    await Promise.all(addresses.map(async (address) => ({ address, reach: await reachOf(address) }))),
  );
}

/** The objects of a resource; none when the cluster does not serve it, or the user may not list it. */
async function listed({ client, signal }: Seen, resource: Resource): Promise<readonly KubeObject[]> {
  const outcome = await client.list(resource, {}, signal);
  return outcome.type === 'ok' ? outcome.items : [];
}

/** The object, if it exists and may be read. */
async function found(
  { client }: Pick<OpenCluster, 'client'>,
  resource: Resource,
  key: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const outcome = await client.get(resource, key, signal);
  if (outcome.type === 'unauthorized')
    throw new ExitError(5, `the cluster refused the login: ${outcome.message}`);
  return outcome.type === 'ok' ? outcome.object : undefined;
}

const jsonOf = (server: string, { isInstalled, diagnoses }: Report): JsonObject => ({
  server,
  isInstalled,
  isHealthy: isHealthy(diagnoses),
  checks: diagnoses.map((each) => ({ ...each })),
});

const marks = { ok: 'ok', warning: 'warning', failed: 'FAILED', unknown: 'unknown' } as const;

const linesOf = (server: string, { isInstalled, diagnoses }: Report): readonly string[] => [
  `${server}: Boathook is ${isInstalled ? 'installed' : 'not installed yet'}`,
  ...diagnoses.flatMap(({ check, state, message, remedy }) => [
    `${marks[state].padEnd(8)} ${check.padEnd(11)} ${message}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(21)}${remedy}`]),
  ]),
];
