import { listAt, textAt } from '#base/json.ts';
import { later, seconds, type Instant } from '#base/time.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { createdAt } from '#kube/workload/pod-facts.ts';

export const phaseOf = (run: KubeObject): string => textAt(run, 'status', 'phase') ?? '';

const badPhases: ReadonlySet<string> = new Set(['Failed', 'Error', 'Inconclusive']);
export const isBad = (run: KubeObject): boolean => badPhases.has(phaseOf(run));
export const isGood = (run: KubeObject): boolean => phaseOf(run) === 'Successful';
export const isOver = (run: KubeObject): boolean => isGood(run) || isBad(run);

/** Why a run did not succeed: its message, or that of the first metric that did not succeed. */
export function badMessage(run: KubeObject): string {
  const own = textAt(run, 'status', 'message');
  if (own !== undefined && own !== '') return own;
  const metric = listAt(run, 'status', 'metricResults').find((each) =>
    badPhases.has(textAt(each, 'phase') ?? ''),
  );
  if (metric === undefined) return '';
  const last = listAt(metric, 'measurements').at(-1);
  const value = textAt(last, 'value');
  const why = textAt(metric, 'message') ?? (value === undefined ? '' : `the value was ${value}`);
  return `metric ${textAt(metric, 'name') ?? ''} is ${textAt(metric, 'phase') ?? ''}${why === '' ? '' : `: ${why}`}`;
}

/** A controller starts a run within this time. */
const takeUp = seconds(30);

/** Why a workload waits for a run. `wakeAt`: when the reason can change without an event. */
export function waitingFor(
  run: KubeObject,
  whose: string,
  now: Instant,
): {
  readonly blocker: { readonly reason: 'WaitingForHook' | 'NoHookController'; readonly message: string };
  readonly wakeAt: Instant | undefined;
} {
  const name = nameOf(run);
  const isTaken = phaseOf(run) !== '';
  const limit = later(createdAt(run), takeUp);
  if (isTaken || now < limit) {
    const phase = isTaken ? phaseOf(run) : 'not taken up yet';
    const message = `${whose} waits for HookRun ${name}, which is ${phase}${lastError(run)}.`;
    return { blocker: { reason: 'WaitingForHook', message }, wakeAt: isTaken ? undefined : limit };
  }
  const message = `${whose} waits for HookRun ${name}, which no controller has taken up for 30 s: is the controller hookrun running (boathook controller)?`;
  return { blocker: { reason: 'NoHookController', message }, wakeAt: undefined };
}

/** The error of the last call of a run that is still running. */
function lastError(run: KubeObject): string {
  for (const metric of listAt(run, 'status', 'metricResults')) {
    const last = listAt(metric, 'measurements').at(-1);
    const why = textAt(last, 'message') ?? '';
    if (textAt(last, 'phase') === 'Error' && why !== '')
      return ` (metric ${textAt(metric, 'name') ?? ''} did not work: ${why})`;
  }
  return '';
}
