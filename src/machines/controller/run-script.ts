import type { Cluster } from '#machines/kinds/cluster.ts';
import { at, listAt, textAt } from '#base/json.ts';
import { formatTime, later, millis, minutes, seconds, type Instant } from '#base/time.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { EngineIo } from '#machines/engine/io.ts';
import { runPlan, type RunEnd } from '#machines/engine/run-plan.ts';
import { withoutMasters } from '#machines/decide/objects/address-taken.ts';
import { masterClaims, nobody } from '#machines/decide/objects/host-claims.ts';
import { clusterOf } from '#machines/read.ts';
import { planScript } from '#machines/decide/objects/plan-script.ts';
import type { LastLine, MachineScript, ScriptEnd, Stops } from '#machines/decide/objects/script.ts';
import { prepareObject, type PreparedObject } from '#machines/decide/objects/plan-object.ts';
import type { Declaration } from '#machines/decide/declaration.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { advance, nothingYet, type JournalRecord } from '#machines/decide/progress.ts';
import { verdictOf } from '#machines/decide/verdict.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { openArtifacts } from './artifacts.ts';
import { fillCredentials } from './credentials.ts';
import type { MachineIo } from './machine-io.ts';
import { machines } from '#machines/kinds/resources.ts';
import { scriptEnd } from './script-end.ts';
import { ScriptHostKeys } from './script-host-keys.ts';
import { secretReader } from './secrets.ts';

type Deps = Pick<ControlDeps, 'client' | 'clock' | 'random' | 'hmac'>;
type Tools = Deps & { readonly io: MachineIo };

const lockedPause = seconds(2);
/** Least time to wait for a machine in use; otherwise as long as the script may take. */
const leastPatience = minutes(1);

/** Runs a script on machines of a Cluster. */
export async function runScript(
  deps: Deps,
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
  const end = await carryOut({ ...deps, io }, { ...script, ...made, prepared, keys }, deadline, stops);
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
  { client }: Deps,
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

type Work = MachineScript & {
  readonly nodes: readonly string[];
  readonly plan: MachinePlan;
  readonly declaration: Declaration;
  readonly prepared: PreparedObject;
  readonly keys: ScriptHostKeys;
};

async function carryOut(tools: Tools, work: Work, deadline: Instant, stops: Stops): Promise<ScriptEnd> {
  const signal = AbortSignal.any([stops.cancel, stops.leave]);
  for (;;) {
    const said = new Map<string, string>();
    const end = await runOnce(tools, work, said, stops);
    signal.throwIfAborted();
    // Another process works on the machine, for example for an operation of the Cluster.
    if (end.type === 'locked' && tools.clock.now() < deadline) {
      await tools.clock.sleep(lockedPause, signal);
      continue;
    }
    return scriptEnd(end, linesOf(work, said));
  }
}

async function runOnce(
  tools: Tools,
  work: Work,
  said: Map<string, string>,
  { cancel, leave }: Stops,
): Promise<RunEnd> {
  const { clock, io } = tools;
  const { id, plan, declaration, keys } = work;
  const opened = await io.open({ cluster: nameOf(work.cluster), operation: id }, keys.book);
  const nodes = new Map(declaration.cluster.nodes.map((node) => [node.name, node]));
  const signal = AbortSignal.any([cancel, leave]);
  try {
    return await runPlan(
      {
        id,
        plan,
        nodes,
        // Jobs that an earlier controller started are found on the machines by their names.
        records: [],
        holder: `${io.holder} ${formatTime(clock.now())} ${work.asker}`,
        leaseTouch: seconds(10),
        leaseStale: seconds(30),
        patience: minutes(1),
        leave,
      },
      { ...engineIo(tools, work, said, signal), machines: opened },
      cancel,
    );
  } finally {
    opened.close();
  }
}

function engineIo(
  { client, clock, random, hmac, io }: Tools,
  work: Work,
  said: Map<string, string>,
  signal: AbortSignal,
): Omit<EngineIo, 'machines'> {
  const cluster = nameOf(work.cluster);
  const artifacts = openArtifacts({ client, namespace: io.namespace }, cluster, signal);
  return {
    clock,
    random,
    artifacts,
    secret: secretReader({
      objects: () => work.prepared.objects,
      artifacts,
      operation: work.id,
      hmac,
      makeKey: () => random.uuid() + random.uuid(),
      wrap: io.secret,
    }),
    append: keeping(work, said),
    emit: (event) => {
      if (event.type === 'output' && event.stream === 'stdout' && event.line !== '')
        said.set(event.node, event.line);
    },
    source: io.source,
    logFile: (task) => io.logFile({ cluster, operation: work.id, ...task }),
  };
}

/** Only the end of a script is recorded: everything else can be read from the machines again. */
function keeping(work: Work, said: ReadonlyMap<string, string>): (record: JournalRecord) => Promise<void> {
  let progress = nothingYet;
  return async (record) => {
    progress = advance(progress, record);
    if (record.type !== 'closed' || record.state === 'Cancelled') return;
    const verdict = verdictOf(work.plan, progress);
    await work.keep(scriptEnd({ type: 'ended', verdict }, linesOf(work, said)));
  };
}

const linesOf = (
  { nodes }: { readonly nodes: readonly string[] },
  said: ReadonlyMap<string, string>,
): readonly LastLine[] => nodes.map((node) => ({ node, line: said.get(node) ?? '' }));
