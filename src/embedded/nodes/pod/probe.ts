import { instant, later, millis, type Instant, type Millis } from '#base/time.ts';
import { nextChange, succeeds, type ProbeOutcome } from '#embedded/nodes/tuning/probe-outcome.ts';
import { hookTime } from './hook-time.ts';
import type { ContainerContext, ProbeName, ProbeTally } from './container-context.ts';
import type { Probe } from './kubelet-pod.ts';

/** A probe of a running container that may change something. */
export type ActiveProbe = {
  readonly name: ProbeName;
  readonly probe: Probe;
  readonly outcome: ProbeOutcome;
  /** The present result; undefined before the first result counts. */
  readonly flag: boolean | undefined;
};

/** Startup first; readiness and liveness once the container has started. */
export function activeProbes({ container, script, status }: ContainerContext): readonly ActiveProbe[] {
  if (container.kind === 'init' || container.kind === 'ephemeral') return [];
  if (!status.started) {
    const flag = container.startup.asked ? undefined : false;
    return [{ name: 'startup', probe: container.startup, outcome: script.startup, flag }];
  }
  const readiness: ActiveProbe = {
    name: 'readiness',
    probe: container.readiness,
    outcome: script.readiness,
    flag: status.ready,
  };
  if (container.liveness === undefined) return [readiness];
  return [readiness, { name: 'liveness', probe: container.liveness, outcome: script.liveness, flag: true }];
}

/** When the result of the probe next changes; undefined while it stays the same. */
export function probeDue(
  context: ContainerContext,
  { name, probe, outcome, flag }: ActiveProbe,
): Instant | undefined {
  const { memory, now } = context;
  const tally = memory.tallies[name];
  const first = firstTick(context, probe);
  const since = millis(Math.max(0, now - memory.startedAt));
  const isGood = succeeds(outcome, since);
  const isNews = isGood !== flag;
  if (tally === undefined && (isNews || probe.asked)) return first;
  if (isNews && tally !== undefined) return later(tally.at, interval(context, probe, isGood));
  const change = nextChange(outcome, since);
  if (change === undefined) return undefined;
  const at = later(memory.startedAt, change);
  return nextTick(tally?.at ?? first, interval(context, probe, !isGood), at);
}

/** What the probe finds now. */
export function tallied({ memory, now }: ContainerContext, { name, outcome }: ActiveProbe): ProbeTally {
  const good = succeeds(outcome, millis(now - memory.startedAt));
  const before = memory.tallies[name];
  return { at: now, good, count: before?.good === good ? before.count + 1 : 1 };
}

export const isConvincing = ({ good, count }: ProbeTally, { probe }: ActiveProbe): boolean =>
  count >= (good ? probe.successes : probe.failures);

/** Hooks come before probes. */
function firstTick(context: ContainerContext, probe: Probe): Instant {
  const { memory, settings } = context;
  const delay = millis(probe.initialDelay * settings.timeScale * settings.profile.probeTiming);
  return later(later(memory.startedAt, hookTime(context, 'postStart')), delay);
}

/** A probe that fails keeps its own pace: a profile may shorten success, never failure. */
function interval({ settings }: ContainerContext, probe: Probe, good: boolean): Millis {
  return millis(probe.period * settings.timeScale * (good ? settings.profile.probeTiming : 1));
}

function nextTick(origin: Instant, period: Millis, at: Instant): Instant {
  if (period <= 0 || at <= origin) return at > origin ? at : origin;
  return instant(origin + Math.ceil((at - origin) / period) * period);
}
