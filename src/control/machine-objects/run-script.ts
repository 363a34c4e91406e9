import { textAt } from '#base/json.ts';
import { formatTime, later, minutes, seconds, type Instant } from '#base/time.ts';
import type { ControlDeps } from '#control/control-deps.ts';
import { runPlan, type RunEnd } from '#control/machines/run-plan.ts';
import { planScript, type ScriptRequest } from '#decide/machine-objects/plan-script.ts';
import { prepareObject, type Prepared } from '#decide/machine-objects/plan-object.ts';
import type { Declaration } from '#decide/machines/declaration.ts';
import type { Plan } from '#decide/machines/plan.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { openArtifacts } from './artifacts.ts';
import { fillCredentials } from './credentials.ts';
import type { HostKeyBook, MachineDoors } from './machine-doors.ts';
import { machines } from './resources.ts';
import { hostName, keysIn } from './host-keys-of.ts';
import { secretDoor } from './secrets.ts';

type Deps = Pick<ControlDeps, 'client' | 'clock' | 'random' | 'hmac'>;
type Tools = Deps & { readonly doors: MachineDoors };

export type ScriptEnd =
  | { readonly type: 'done'; readonly lastLine: string }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'impossible'; readonly message: string };

const lockedPause = seconds(2);

/** Runs a script on machines of a Cluster, for whoever asks. The same id again finds the same run on the machines. */
export async function runScript(
  deps: Deps,
  doors: MachineDoors,
  { cluster, request, id }: { cluster: KubeObject; request: ScriptRequest; id: string },
  signal: AbortSignal,
): Promise<ScriptEnd> {
  const filled = await fillCredentials(deps.client, cluster, signal);
  const workers = request.role === 'worker' ? await workersOf(deps, nameOf(cluster), signal) : [];
  const ready = [];
  for (const worker of workers) ready.push(await fillCredentials(deps.client, worker, signal));
  const [missing] = [filled, ...ready].flatMap(({ problems }) => problems);
  if (missing !== undefined) return { type: 'impossible', message: missing.message };
  const prepared = prepareObject({
    cluster: filled.object,
    machines: ready.map(({ object }) => object),
    wanted: { kind: 'node.upgrade', nodes: [] },
    root: doors.filesRoot,
    force: false,
  });
  const sources = await doors.sources(prepared.sources, prepared.deep);
  const made = planScript(request, prepared, { sources, nodes: new Map(), sha256: doors.sha256 });
  if (made.type === 'impossible') return made;
  const work = { ...made, id, cluster: nameOf(cluster), prepared, keys: keyBook([cluster, ...workers]) };
  const deadline = later(deps.clock.now(), seconds(request.timeoutSeconds));
  return carryOut({ ...deps, doors }, work, deadline, signal);
}

async function workersOf(
  { client }: Deps,
  name: string,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const listed = await client.list(machines, {}, signal);
  if (listed.type !== 'ok') throw new Error(listed.message);
  return listed.items.filter((each) => textAt(each, 'spec', 'clusterName') === name);
}

type Work = {
  readonly id: string;
  readonly cluster: string;
  readonly plan: Plan;
  readonly declaration: Declaration;
  readonly prepared: Prepared;
  readonly keys: HostKeyBook;
};

async function carryOut(
  tools: Tools,
  work: Work,
  deadline: Instant,
  signal: AbortSignal,
): Promise<ScriptEnd> {
  for (;;) {
    const said = { line: '' };
    const end = await runOnce(tools, work, said, signal);
    signal.throwIfAborted();
    // Somebody else works on the machine: an operation of the Cluster, perhaps.
    if (end.type === 'locked' && tools.clock.now() < deadline) {
      await tools.clock.sleep(lockedPause, signal);
      continue;
    }
    return scriptEnd(end, said.line);
  }
}

async function runOnce(
  { client, clock, random, hmac, doors }: Tools,
  { id, cluster, plan, declaration, prepared, keys }: Work,
  said: { line: string },
  signal: AbortSignal,
): Promise<RunEnd> {
  const opened = await doors.open({ cluster, operation: id }, keys);
  const artifacts = openArtifacts(client, cluster, signal);
  const wrap = doors.secret;
  try {
    return await runPlan(
      {
        id,
        plan,
        nodes: new Map(declaration.cluster.nodes.map((node) => [node.name, node])),
        records: [],
        holder: `${doors.holder} ${formatTime(clock.now())} HookRun`,
        leaseTouch: seconds(10),
        leaseStale: seconds(30),
        patience: minutes(1),
      },
      {
        clock,
        random,
        machines: opened,
        artifacts,
        secret: secretDoor({
          documents: () => prepared.documents,
          artifacts,
          operation: id,
          hmac,
          makeKey: () => random.uuid() + random.uuid(),
          wrap,
        }),
        append: () => Promise.resolve(),
        emit: (event) => {
          if (event.type === 'output' && event.stream === 'stdout') said.line = event.line;
        },
        source: doors.source,
        logFile: (task) => doors.logFile({ cluster, operation: id, ...task }),
      },
      signal,
    );
  } finally {
    opened.close();
  }
}

function scriptEnd(end: RunEnd, lastLine: string): ScriptEnd {
  if (end.type === 'unreachable')
    return { type: 'impossible', message: [...end.failures.values()].join(' ') };
  if (end.type !== 'ended') return { type: 'impossible', message: end.message };
  if (end.verdict.state === 'Succeeded') return { type: 'done', lastLine };
  const [failure] = end.verdict.failures;
  const message =
    failure !== undefined && 'message' in failure.outcome ? failure.outcome.message : end.verdict.state;
  return { type: 'failed', message };
}

/** Keys that the Cluster's own operations have seen; one that they have not is accepted for this call. */
function keyBook(objects: readonly KubeObject[]): HostKeyBook {
  const known = new Map(objects.flatMap(keysIn));
  const spec = objects[0]?.['spec'] as { insecureIgnoreHostKey?: boolean } | undefined;
  return {
    insecure: spec?.insecureIgnoreHostKey === true,
    expected: (address, port) => known.get(hostName(address, port)),
    seen: (address, port, fingerprint) => void known.set(hostName(address, port), fingerprint),
  };
}
