import type { Cluster } from '#machines/kinds/cluster.ts';
import { at, listAt, textAt } from '#base/json.ts';
import { later, millis, minutes, seconds } from '#base/time.ts';
import { withoutMasters } from '#machines/decide/objects/address-taken.ts';
import { masterClaims, nobody } from '#machines/decide/objects/host-claims.ts';
import { clusterOf } from '#machines/read.ts';
import { planScript } from '#machines/decide/objects/plan-script.ts';
import type { MachineScript, ScriptEnd, Stops } from '#machines/decide/objects/script.ts';
import { prepareObject } from '#machines/decide/objects/plan-object.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { fillCredentials } from './credentials.ts';
import type { MachineIo } from './machine-io.ts';
import { machines } from '#machines/kinds/resources.ts';
import { carryOutScript } from './carry-out-script.ts';
import type { ScriptDeps } from './script-engine-io.ts';
import { ScriptHostKeys } from './script-host-keys.ts';

/** Least time to wait for a machine in use; otherwise as long as the script may take. */
const leastPatience = minutes(1);

/** Runs a script on machines of a Cluster. */
export async function runScript(
  deps: ScriptDeps,
  io: MachineIo,
  script: MachineScript,
  stops: Stops,
): Promise<ScriptEnd> {
  const { cluster, request } = script;
  const signal = AbortSignal.any([stops.cancel, stops.leave]);
  const filled = await fillCredentials(deps.client, cluster, signal);
  const workers = request.role === 'worker' ? await workersOf(deps, nameOf(cluster), signal) : [];
  const ready = [];
  for (const worker of workers) ready.push(await fillCredentials(deps.client, worker, signal));
  const ours = withoutMasters(filled.object, mastersNotBegun(clusterOf(cluster)));
  const [missing] = [filled, ...ready].flatMap(({ problems }) => problems);
  if (missing !== undefined) return { type: 'impossible', message: missing.message };
  if (listAt(ours, 'spec', 'machines').length === 0)
    return { type: 'impossible', message: notBegun(cluster) };
  const prepared = prepareObject({
    cluster: ours,
    machines: ready.map(({ object }) => object),
    wanted: { kind: 'node.upgrade', nodes: [] },
    root: io.filesRoot,
    force: false,
  });
  const sources = await io.sources(prepared.sources, prepared.deep);
  const made = planScript(request, prepared, { sources, nodes: new Map(), sha256: io.sha256 });
  if (made.type === 'impossible') return made;
  const keys = new ScriptHostKeys(deps.client, cluster, workers, signal);
  const patience = millis(Math.max(leastPatience, seconds(request.timeoutSeconds)));
  const deadline = later(deps.clock.now(), patience);
  const end = await carryOutScript({ ...deps, io }, { ...script, ...made, prepared, keys }, deadline, stops);
  await keys.recorded();
  return end;
}

/** Masters on whose hosts nothing was done yet: the hosts may belong to another object. */
const mastersNotBegun = (cluster: Cluster): readonly string[] =>
  masterClaims(cluster, nobody)
    .filter(({ isBegun }) => !isBegun)
    .map(({ entry }) => entry.ip);

const notBegun = (cluster: KubeObject): string =>
  `Cluster ${nameOf(cluster)} has no machines yet: ${textAt(cluster, 'status', 'message') ?? 'it is not being created'}`;

/** Workers that have joined and are not being deleted, in the order of their names. */
async function workersOf(
  { client }: ScriptDeps,
  name: string,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const listed = await client.list(machines, {}, signal);
  if (listed.type !== 'ok') throw new Error(listed.message);
  return listed.items
    .filter((each) => textAt(each, 'spec', 'clusterName') === name)
    .filter((each) => at(each, 'status', 'joined') === true && !isDeleting(each))
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}
