import { instant, later, millis, seconds, type Instant, type Millis } from '#base/time.ts';
import { printSpan } from '#embedded/nodes/tuning/span.ts';
import { reasonOf } from '#embedded/nodes/tuning/script.ts';
import { backOffSpan } from './back-off.ts';
import { finish } from './finish.ts';
import { hookTime } from './hook-time.ts';
import type { StageEffect, ContainerContext, StageTransition } from './container-context.ts';
import * as events from './pod-events.ts';
import { restarts } from './restart-policy.ts';

/** After SIGTERM a container always gets this much, however long its hook took. */
const leastGrace = seconds(2);

/** From a running container to its end, and perhaps to its next run. */
export const endStages: readonly StageTransition[] = [
  { name: 'send-sigterm', at: 'stopping', given: () => true, due: hookEnd, effect: sendSigterm },
  {
    name: 'exit',
    at: 'signalled',
    given: () => true,
    due: (context) => instant(Math.min(exitTime(context), killTime(context))),
    effect: exit,
  },
  {
    name: 'restart-at-once',
    at: 'ended',
    given: (context) => runsAgain(context) && failuresInRow(context) <= 1,
    due: (context) => context.now,
    effect: ({ now }) => ({ memory: { step: 'waiting', since: now } }),
  },
  {
    name: 'back-off',
    at: 'ended',
    given: runsAgain,
    due: (context) => context.now,
    effect: backOff,
  },
  {
    name: 'restart-other-image',
    at: 'back-off',
    given: ({ desired, status, container }) => desired === 'run' && status.image !== container.image,
    due: (context) => context.now,
    effect: ({ now, status }) => ({ memory: { step: 'waiting', since: now, base: status.restartCount + 1 } }),
  },
  {
    name: 'restart',
    at: 'back-off',
    given: ({ desired }) => desired === 'run',
    due: (context) => later(context.memory.since, millis(restartSpan(context) * context.settings.timeScale)),
    effect: ({ now }) => ({ memory: { step: 'waiting', since: now } }),
  },
];

function runsAgain({ desired, status, container, view }: ContainerContext): boolean {
  if (desired !== 'run' || status.state.type !== 'ended') return false;
  return restarts(container.kind, view.restartPolicy, status.state.ended.exitCode);
}

const failuresInRow = ({ status, memory }: ContainerContext): number => status.restartCount - memory.base + 1;
const restartSpan = (context: ContainerContext): Millis => backOffSpan(failuresInRow(context) - 1);

function backOff(context: ContainerContext): StageEffect {
  const { status, container, view, memory } = context;
  const name = `${view.name}_${view.namespace}(${view.uid})`;
  const message = `back-off ${printSpan(restartSpan(context))} restarting failed container=${container.name} pod=${name}`;
  return {
    status: {
      state: { type: 'waiting', reason: 'CrashLoopBackOff', message },
      last: status.state.type === 'ended' ? status.state.ended : status.last,
    },
    memory: { step: 'back-off', since: memory.since },
    events: [
      events.backOffRestart(
        `Back-off restarting failed container ${container.name} in pod ${name}`,
        container.name,
      ),
    ],
  };
}

/** When the grace is over: that of the pod's deletion, or the pod's own for other stops. */
function graceEnd({ memory, view, settings }: ContainerContext): Instant {
  const own = later(memory.since, millis(view.graceSeconds * 1000 * settings.timeScale));
  if (view.deletion === undefined) return own;
  // The deletion's time is cut to whole seconds.
  const left = Math.ceil((view.deletion.at - memory.since) / 1000) * 1000;
  const deletion = later(memory.since, millis(Math.max(0, left) * settings.timeScale));
  return memory.stop === 'pod' ? deletion : instant(Math.min(own, deletion));
}

function hookEnd(context: ContainerContext): Instant {
  const end = later(context.memory.since, hookTime(context, 'preStop'));
  return instant(Math.min(end, graceEnd(context)));
}

function sendSigterm(context: ContainerContext): StageEffect {
  const { container, memory } = context;
  const cut = later(memory.since, hookTime(context, 'preStop')) > graceEnd(context);
  const message = `PreStopHook of container ${container.name} did not end within the grace period`;
  return {
    memory: { step: 'signalled' },
    logs: [`container ${container.name} received SIGTERM`],
    ...(cut ? { events: [events.failedPreStop(message, container.name)] } : {}),
  };
}

const exitTime = (context: ContainerContext): Instant => later(hookEnd(context), context.script.term);
const killTime = (context: ContainerContext): Instant =>
  instant(
    Math.max(graceEnd(context), later(hookEnd(context), millis(leastGrace * context.settings.timeScale))),
  );

function exit(context: ContainerContext): StageEffect {
  if (exitTime(context) > killTime(context)) return finish(context, 137, 'Error');
  const code = context.script.termExitCode;
  return finish(context, code, reasonOf(code));
}
