import { instant, later, type Instant } from '#base/time.ts';
import { activeProbes, isConvincing, probeDue, tallied, type ActiveProbe } from './probe.ts';
import { finish } from './finish.ts';
import { imageIdOf } from '#embedded/nodes/node/identity.ts';
import type {
  StageEffect,
  ContainerMemory,
  ContainerContext,
  PodEvent,
  StageTransition,
  StopReason,
} from './container-context.ts';
import * as events from './pod-events.ts';

const now = (context: ContainerContext): Instant => context.now;

/** What happens to a running container. The first that is due happens. */
export const runStages: readonly StageTransition[] = [
  { name: 'stop', at: 'running', given: ({ desired }) => desired === 'stop', due: now, effect: stopWithPod },
  {
    name: 'hot-patch',
    at: 'running',
    given: ({ status, container, desired, view, host }) =>
      desired === 'run' && status.image !== container.image && view.wantsHotPatch && host.hotPatches,
    due: now,
    effect: ({ container }) => ({
      status: { image: container.image, imageId: imageIdOf(container.image) },
      memory: {},
    }),
  },
  {
    name: 'replace',
    at: 'running',
    given: ({ status, container, desired }) => desired === 'run' && status.image !== container.image,
    due: now,
    effect: (context) => stop(context, 'changed', context.now),
  },
  {
    name: 'crash-on-demand',
    at: 'running',
    given: isToCrash,
    due: ({ script }) => script.crashAt,
    effect: (context) => finish(context, context.script.exit.code, context.script.exit.reason),
  },
  {
    name: 'end',
    at: 'running',
    given: ({ script }) => script.ending !== undefined,
    due: ({ script, memory }) =>
      script.ending === undefined ? undefined : later(memory.startedAt, script.ending.after),
    effect: (context) =>
      finish(context, context.script.ending?.exitCode ?? 0, context.script.ending?.reason ?? ''),
  },
  {
    name: 'probe',
    at: 'running',
    given: (context) => activeProbes(context).length > 0,
    due: (context) => nextProbe(context)?.at,
    effect: probe,
  },
];

/** Times in a status are whole seconds: a run that ended in that second was the one that was meant. */
function isToCrash({ script, memory, status }: ContainerContext): boolean {
  if (script.crashAt === undefined || memory.startedAt >= script.crashAt) return false;
  return (status.last?.finishedAt ?? 0) < Math.floor(script.crashAt / 1000) * 1000;
}

function nextProbe(
  context: ContainerContext,
): { readonly at: Instant; readonly active: ActiveProbe } | undefined {
  let next: { readonly at: Instant; readonly active: ActiveProbe } | undefined;
  for (const active of activeProbes(context)) {
    const at = probeDue(context, active);
    if (at !== undefined && (next === undefined || at < next.at)) next = { at, active };
  }
  return next;
}

const probeWords = { startup: 'Startup', readiness: 'Readiness', liveness: 'Liveness' } as const;

function probe(context: ContainerContext): StageEffect {
  const { memory, container } = context;
  const active = nextProbe(context)?.active;
  if (active === undefined) return { memory: {} };
  const tally = tallied(context, active);
  const tallies: ContainerMemory['tallies'] = { ...memory.tallies, [active.name]: tally };
  const output: readonly PodEvent[] =
    tally.good || !active.probe.asked
      ? []
      : [events.unhealthy(`${probeWords[active.name]} probe failed: simulated failure`, container.name)];
  if (!isConvincing(tally, active)) return { memory: { tallies }, events: output };
  if (active.name === 'readiness')
    return { status: { ready: tally.good }, memory: { tallies }, events: output };
  if (tally.good) {
    return { status: active.name === 'startup' ? { started: true } : {}, memory: { tallies } };
  }
  const change = stop(context, active.name, context.now);
  return { ...change, events: [...output, ...(change.events ?? [])] };
}

/** A deletion that began while this process was down has used up its grace period already. */
function stopWithPod(context: ContainerContext): StageEffect {
  const { view, now } = context;
  if (view.deletion === undefined) return stop(context, 'finished', now);
  const begun = view.deletion.at - view.deletion.graceSeconds * 1000;
  return stop(context, 'pod', now - begun <= 2000 ? now : instant(begun));
}

const killingWords: Readonly<Record<StopReason, (container: string) => string>> = {
  pod: (name) => `Stopping container ${name}`,
  finished: (name) => `Stopping container ${name}`,
  changed: (name) => `Container ${name} definition changed, will be restarted`,
  liveness: (name) => `Container ${name} failed liveness probe, will be restarted`,
  startup: (name) => `Container ${name} failed startup probe, will be restarted`,
};

function stop({ container }: ContainerContext, reason: StopReason, since: Instant): StageEffect {
  const hook = container.preStop === undefined ? {} : { hook: 'preStop' as const };
  return {
    status: { ready: false },
    memory: { step: 'stopping', since, stop: reason },
    events: [events.killing(killingWords[reason](container.name), container.name)],
    ...hook,
  };
}
