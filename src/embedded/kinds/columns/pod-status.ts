import { momentOf } from '#base/age.ts';
import { isObject, listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { isTrue } from './cells.ts';

/** The summary of a pod's containers for its row. */
export type PodSummary = {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When a container last ended before it was started again. */
  readonly lastRestart: Instant | undefined;
};

/** The counts and the text of the Status column, by kubectl's rules. */
export function podSummary(pod: KubeObject): PodSummary {
  const status = member(pod, 'status') ?? nothing;
  const specOfInit = initContainers(pod);
  const init = walkInit(status, specOfInit);
  const initialized = init.reason === undefined || isTrue(listAt(status, 'conditions'), 'Initialized');
  const main = initialized ? walkMain(status, init.reason ?? phaseWord(status)) : undefined;
  const counted = main === undefined ? init.all : plus(init.sidecars, main.restarts);
  return {
    ready: init.ready + (main?.ready ?? 0),
    total: listAt(pod, 'spec', 'containers').length + specOfInit.sidecars.size,
    reason: deletionWord(pod, status) ?? main?.reason ?? init.reason ?? '',
    restarts: counted.count,
    lastRestart: counted.last,
  };
}

const nothing: JsonObject = {};

type Restarts = { readonly count: number; readonly last: Instant | undefined };
const noRestarts: Restarts = { count: 0, last: undefined };

const latest = (left: Instant | undefined, right: Instant | undefined): Instant | undefined =>
  left === undefined || (right !== undefined && right > left) ? right : left;

function plus(left: Restarts, right: Restarts): Restarts {
  if (left === noRestarts) return right;
  if (right === noRestarts) return left;
  return { count: left.count + right.count, last: latest(left.last, right.last) };
}

function restartsOf(container: JsonObject): Restarts {
  const count = container['restartCount'];
  const ended = member(container['lastState'], 'terminated');
  if (count === 0 && ended === undefined) return noRestarts;
  return { count: typeof count === 'number' ? count : 0, last: momentOf(ended?.['finishedAt']) };
}

/** A member that is an object itself; every row of a long table reads many. */
function member(value: Json | undefined, key: string): JsonObject | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : undefined;
}

type InitSpec = { readonly count: number; readonly sidecars: ReadonlySet<string> };
const noInit: InitSpec = { count: 0, sidecars: new Set() };

function initContainers(pod: KubeObject): InitSpec {
  const containers = listAt(pod, 'spec', 'initContainers');
  if (containers.length === 0) return noInit;
  const sidecars = containers.filter((each) => textAt(each, 'restartPolicy') === 'Always');
  return { count: containers.length, sidecars: new Set(sidecars.map((each) => textAt(each, 'name') ?? '')) };
}

function phaseWord(status: JsonObject): string {
  const gated = listAt(status, 'conditions').some(
    (each) => textAt(each, 'type') === 'PodScheduled' && textAt(each, 'reason') === 'SchedulingGated',
  );
  if (gated) return 'SchedulingGated';
  return textAt(status, 'reason') || (textAt(status, 'phase') ?? '');
}

type InitWalk = {
  readonly ready: number;
  readonly reason: string | undefined;
  readonly all: Restarts;
  readonly sidecars: Restarts;
};

/** In order, up to the first init container that is neither done nor a started sidecar: that one gives the reason. */
function walkInit(status: JsonObject, spec: InitSpec): InitWalk {
  let [ready, all, sidecars] = [0, noRestarts, noRestarts];
  const containers = statusesOf(status, 'initContainerStatuses');
  for (const [i, container] of containers.entries()) {
    const isSidecar = spec.sidecars.has(textAt(container, 'name') ?? '');
    const restarts = restartsOf(container);
    all = plus(all, restarts);
    if (isSidecar) sidecars = plus(sidecars, restarts);
    const terminated = member(container['state'], 'terminated');
    const done = terminated !== undefined && (numberAt(terminated, 'exitCode') ?? 0) === 0;
    if (done) continue;
    if (isSidecar && container['started'] === true) {
      ready += container['ready'] === true ? 1 : 0;
      continue;
    }
    return {
      ready,
      all,
      sidecars,
      reason: `Init:${initWord(container, terminated) ?? `${i}/${spec.count}`}`,
    };
  }
  return { ready, all, sidecars, reason: undefined };
}

function initWord(container: JsonObject, terminated: JsonObject | undefined): string | undefined {
  if (terminated !== undefined) return endWord(terminated);
  const waiting = textAt(member(container['state'], 'waiting'), 'reason');
  return waiting === '' || waiting === 'PodInitializing' ? undefined : waiting;
}

function endWord(terminated: JsonObject): string {
  const reason = textAt(terminated, 'reason');
  if (reason) return reason;
  const signal = numberAt(terminated, 'signal') ?? 0;
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}` : `Signal:${signal}`;
}

/** From the last container to the first, so that the reason of the first one wins. */
function walkMain(status: JsonObject, before: string): { ready: number; reason: string; restarts: Restarts } {
  let [ready, reason, restarts] = [0, before, noRestarts];
  const containers = statusesOf(status, 'containerStatuses');
  for (const container of containers.toReversed()) {
    restarts = plus(restarts, restartsOf(container));
    const state = container['state'];
    const terminated = member(state, 'terminated');
    const waiting = member(state, 'waiting')?.['reason'];
    if (typeof waiting === 'string' && waiting !== '') reason = waiting;
    else if (terminated !== undefined) reason = endWord(terminated);
    else if (container['ready'] === true && member(state, 'running') !== undefined) ready += 1;
  }
  if (reason === 'Completed' && ready > 0) {
    reason = isTrue(listAt(status, 'conditions'), 'Ready') ? 'Running' : 'NotReady';
  }
  return { ready, reason, restarts };
}

function statusesOf(status: JsonObject, list: string): readonly JsonObject[] {
  return listAt(status, list).filter(isObject);
}

function deletionWord(pod: KubeObject, status: JsonObject): string | undefined {
  if (!isDeleting(pod)) return undefined;
  if (textAt(status, 'reason') === 'NodeLost') return 'Unknown';
  const phase = textAt(status, 'phase');
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
}
