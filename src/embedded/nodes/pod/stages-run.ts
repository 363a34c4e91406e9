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
} from './moment.ts';
import * as notes from './notes.ts';

const now = (moment: ContainerContext): Instant => moment.now;

/** What happens to a running container. The first that is due happens. */
export const runStages: readonly StageTransition[] = [
  { name: 'stop', at: 'running', given: ({ wish }) => wish === 'stop', due: now, effect: stopWithPod },
  {
    name: 'hot-patch',
    at: 'running',
    given: ({ status, container, wish, view, host }) =>
      wish === 'run' && status.image !== container.image && view.wantsHotPatch && host.hotPatches,
    due: now,
    effect: ({ container }) => ({
      status: { image: container.image, imageId: imageIdOf(container.image) },
      memory: {},
    }),
  },
  {
    name: 'replace',
    at: 'running',
    given: ({ status, container, wish }) => wish === 'run' && status.image !== container.image,
    due: now,
    effect: (moment) => stop(moment, 'changed', moment.now),
  },
  {
    name: 'crash-on-demand',
    at: 'running',
    given: isToCrash,
    due: ({ script }) => script.crashAt,
    effect: (moment) => finish(moment, moment.script.exit.code, moment.script.exit.reason),
  },
  {
    name: 'end',
    at: 'running',
    given: ({ script }) => script.ending !== undefined,
    due: ({ script, memory }) =>
      script.ending === undefined ? undefined : later(memory.startedAt, script.ending.after),
    effect: (moment) =>
      finish(moment, moment.script.ending?.exitCode ?? 0, moment.script.ending?.reason ?? ''),
  },
  {
    name: 'probe',
    at: 'running',
    given: (moment) => activeProbes(moment).length > 0,
    due: (moment) => nextProbe(moment)?.at,
    effect: probe,
  },
];

/** Times in a status are whole seconds: a run that ended in that second was the one that was meant. */
function isToCrash({ script, memory, status }: ContainerContext): boolean {
  if (script.crashAt === undefined || memory.startedAt >= script.crashAt) return false;
  return (status.last?.finishedAt ?? 0) < Math.floor(script.crashAt / 1000) * 1000;
}

function nextProbe(
  moment: ContainerContext,
): { readonly at: Instant; readonly active: ActiveProbe } | undefined {
  let next: { readonly at: Instant; readonly active: ActiveProbe } | undefined;
  for (const active of activeProbes(moment)) {
    const at = probeDue(moment, active);
    if (at !== undefined && (next === undefined || at < next.at)) next = { at, active };
  }
  return next;
}

const probeWords = { startup: 'Startup', readiness: 'Readiness', liveness: 'Liveness' } as const;

function probe(moment: ContainerContext): StageEffect {
  const { memory, container } = moment;
  const active = nextProbe(moment)?.active;
  if (active === undefined) return { memory: {} };
  const tally = tallied(moment, active);
  const tallies: ContainerMemory['tallies'] = { ...memory.tallies, [active.name]: tally };
  const told: readonly PodEvent[] =
    tally.good || !active.probe.asked
      ? []
      : [notes.unhealthy(`${probeWords[active.name]} probe failed: the simulation says so`, container.name)];
  if (!isConvincing(tally, active)) return { memory: { tallies }, notes: told };
  if (active.name === 'readiness') return { status: { ready: tally.good }, memory: { tallies }, notes: told };
  if (tally.good) {
    return { status: active.name === 'startup' ? { started: true } : {}, memory: { tallies } };
  }
  const change = stop(moment, active.name, moment.now);
  return { ...change, notes: [...told, ...(change.notes ?? [])] };
}

/** K12. A deletion that began while nobody looked has used up its time already. */
function stopWithPod(moment: ContainerContext): StageEffect {
  const { view, now } = moment;
  if (view.deletion === undefined) return stop(moment, 'finished', now);
  const begun = view.deletion.at - view.deletion.graceSeconds * 1000;
  return stop(moment, 'pod', now - begun <= 2000 ? now : instant(begun));
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
    notes: [notes.killing(killingWords[reason](container.name), container.name)],
    ...hook,
  };
}
