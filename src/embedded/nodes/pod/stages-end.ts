import { instant, later, millis, seconds, type Instant, type Millis } from '#base/time.ts';
import { printSpan } from '#embedded/nodes/tuning/span.ts';
import { reasonOf } from '#embedded/nodes/tuning/script.ts';
import { backOffSpan } from './back-off.ts';
import { finish } from './finish.ts';
import { hookTime } from './hook-time.ts';
import type { StageEffect, ContainerContext, StageTransition } from './moment.ts';
import * as notes from './notes.ts';
import { restarts } from './restart-policy.ts';

/** After SIGTERM a container always gets this much, however long its hook took. */
const leastGrace = seconds(2);

/** From a running container to its end, and perhaps to its next run (K6, K8, K12). */
export const endStages: readonly StageTransition[] = [
  { name: 'send-sigterm', at: 'stopping', given: () => true, due: hookEnd, effect: sendSigterm },
  {
    name: 'exit',
    at: 'signalled',
    given: () => true,
    due: (moment) => instant(Math.min(exitTime(moment), killTime(moment))),
    effect: exit,
  },
  {
    name: 'restart-at-once',
    at: 'ended',
    given: (moment) => runsAgain(moment) && failuresInRow(moment) <= 1,
    due: (moment) => moment.now,
    effect: ({ now }) => ({ memory: { step: 'waiting', since: now } }),
  },
  {
    name: 'back-off',
    at: 'ended',
    given: runsAgain,
    due: (moment) => moment.now,
    effect: backOff,
  },
  {
    name: 'restart-other-image',
    at: 'back-off',
    given: ({ wish, status, container }) => wish === 'run' && status.image !== container.image,
    due: (moment) => moment.now,
    effect: ({ now, status }) => ({ memory: { step: 'waiting', since: now, base: status.restartCount + 1 } }),
  },
  {
    name: 'restart',
    at: 'back-off',
    given: ({ wish }) => wish === 'run',
    due: (moment) => later(moment.memory.since, millis(restartSpan(moment) * moment.settings.timeScale)),
    effect: ({ now }) => ({ memory: { step: 'waiting', since: now } }),
  },
];

function runsAgain({ wish, status, container, view }: ContainerContext): boolean {
  if (wish !== 'run' || status.state.type !== 'ended') return false;
  return restarts(container.kind, view.restartPolicy, status.state.ended.exitCode);
}

const failuresInRow = ({ status, memory }: ContainerContext): number => status.restartCount - memory.base + 1;
const restartSpan = (moment: ContainerContext): Millis => backOffSpan(failuresInRow(moment) - 1);

function backOff(moment: ContainerContext): StageEffect {
  const { status, container, view, memory } = moment;
  const name = `${view.name}_${view.namespace}(${view.uid})`;
  const message = `back-off ${printSpan(restartSpan(moment))} restarting failed container=${container.name} pod=${name}`;
  return {
    status: {
      state: { type: 'waiting', reason: 'CrashLoopBackOff', message },
      last: status.state.type === 'ended' ? status.state.ended : status.last,
    },
    memory: { step: 'back-off', since: memory.since },
    notes: [
      notes.backOffRestart(
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

function hookEnd(moment: ContainerContext): Instant {
  const end = later(moment.memory.since, hookTime(moment, 'preStop'));
  return instant(Math.min(end, graceEnd(moment)));
}

function sendSigterm(moment: ContainerContext): StageEffect {
  const { container, memory } = moment;
  const cut = later(memory.since, hookTime(moment, 'preStop')) > graceEnd(moment);
  const message = `PreStopHook of container ${container.name} did not end within the grace period`;
  return {
    memory: { step: 'signalled' },
    logs: [`container ${container.name} received SIGTERM`],
    ...(cut ? { notes: [notes.failedPreStop(message, container.name)] } : {}),
  };
}

const exitTime = (moment: ContainerContext): Instant => later(hookEnd(moment), moment.script.term);
const killTime = (moment: ContainerContext): Instant =>
  instant(Math.max(graceEnd(moment), later(hookEnd(moment), millis(leastGrace * moment.settings.timeScale))));

function exit(moment: ContainerContext): StageEffect {
  if (exitTime(moment) > killTime(moment)) return finish(moment, 137, 'Error');
  const code = moment.script.termExitCode;
  return finish(moment, code, reasonOf(code));
}
