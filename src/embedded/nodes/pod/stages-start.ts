import { later, millis, type Instant } from '#base/time.ts';
import { printSpan } from '#embedded/nodes/tuning/span.ts';
import { backOffSpan } from './back-off.ts';
import { containerIdOf, imageIdOf } from '#embedded/nodes/node/identity.ts';
import { isImageName } from './image-name.ts';
import type { StageEffect, ContainerContext, StageTransition } from './container-context.ts';
import * as events from './pod-events.ts';

const mayStart = ({ desired }: ContainerContext): boolean => desired === 'run';
const now = (context: ContainerContext): Instant => context.now;
const isOtherImage = ({ status, container }: ContainerContext): boolean => status.image !== container.image;
const isNameless = ({ script, container }: ContainerContext): boolean =>
  script.pull === 'invalid' || !isImageName(container.image);
const needsPull = ({ script, container, host }: ContainerContext): boolean =>
  script.pull === 'error' ||
  container.pullPolicy === 'Always' ||
  (container.pullPolicy !== 'Never' && !host.hasImage(container.image));

/** From nothing to a running container. */
export const startStages: readonly StageTransition[] = [
  {
    name: 'refuse-name',
    at: 'waiting',
    given: (context) => mayStart(context) && isNameless(context),
    due: now,
    effect: refuseName,
  },
  {
    name: 'pull',
    at: 'waiting',
    given: (context) => mayStart(context) && needsPull(context),
    due: now,
    effect: ({ container, now }) => ({
      memory: { step: 'pulling', since: now },
      events: [events.pulling(`Pulling image "${container.image}"`, container.name)],
    }),
  },
  {
    name: 'find-image',
    at: 'waiting',
    given: mayStart,
    due: now,
    effect: ({ container, now }) => ({
      memory: { step: 'starting', since: now, pulls: 0 },
      events: [
        events.pulled(`Container image "${container.image}" already present on machine`, container.name),
      ],
    }),
  },
  {
    name: 'fail-pull',
    at: 'pulling',
    given: (context) => mayStart(context) && context.script.pull === 'error',
    due: ({ memory, script }) => later(memory.since, script.pullTime),
    effect: failPull,
  },
  {
    name: 'finish-pull',
    at: 'pulling',
    given: mayStart,
    due: ({ memory, script }) => later(memory.since, script.pullTime),
    effect: finishPull,
  },
  {
    name: 'back-off-pull',
    at: 'pull-failed',
    given: mayStart,
    due: ({ memory, script }) => later(memory.since, script.pullPause),
    effect: backOffPull,
  },
  {
    name: 'pull-other-image',
    at: 'pull-back-off',
    given: (context) => mayStart(context) && isOtherImage(context),
    due: now,
    effect: ({ now }) => ({ memory: { step: 'waiting', since: now, pulls: 0 } }),
  },
  {
    name: 'pull-again',
    at: 'pull-back-off',
    given: mayStart,
    due: ({ memory, settings }) =>
      later(memory.since, millis(backOffSpan(memory.pulls) * settings.timeScale)),
    effect: ({ now }) => ({ memory: { step: 'waiting', since: now } }),
  },
  {
    name: 'accept-name',
    at: 'bad-name',
    given: (context) => mayStart(context) && !isNameless(context),
    due: now,
    effect: ({ now }) => ({ memory: { step: 'waiting', since: now } }),
  },
  {
    name: 'start',
    at: 'starting',
    given: mayStart,
    due: ({ memory, script }) => later(memory.since, script.startTime),
    effect: start,
  },
];

const lastOf = ({ status }: ContainerContext): ContainerContext['status']['last'] =>
  status.state.type === 'ended' ? status.state.ended : status.last;

function refuseName(context: ContainerContext): StageEffect {
  const { container, now } = context;
  const { image, name } = container;
  const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`;
  return {
    status: { image, state: { type: 'waiting', reason: 'InvalidImageName', message }, last: lastOf(context) },
    memory: { step: 'bad-name', since: now },
    events: [events.inspectFailed(message, name), events.failed('Error: InvalidImageName', name)],
  };
}

const pullError = (image: string): string =>
  `rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;

function failPull(context: ContainerContext): StageEffect {
  const { container, memory, now } = context;
  const { image, name } = container;
  const message = pullError(image);
  return {
    status: { image, state: { type: 'waiting', reason: 'ErrImagePull', message }, last: lastOf(context) },
    memory: { step: 'pull-failed', since: now, pulls: memory.pulls + 1 },
    events: [
      events.failed(`Failed to pull image "${image}": ${message}`, name),
      events.failed('Error: ErrImagePull', name),
    ],
  };
}

function finishPull({ container, script, now }: ContainerContext): StageEffect {
  const { image, name } = container;
  const took = printSpan(script.pullTime);
  const message = `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: 29500000 bytes.`;
  return { memory: { step: 'starting', since: now, pulls: 0 }, events: [events.pulled(message, name)] };
}

function backOffPull({ container, status, now }: ContainerContext): StageEffect {
  const { name } = container;
  const { image } = status;
  const message = `Back-off pulling image "${image}": ErrImagePull: ${pullError(image)}`;
  return {
    status: { state: { type: 'waiting', reason: 'ImagePullBackOff', message } },
    memory: { step: 'pull-back-off', since: now },
    events: [
      events.backOffPull(`Back-off pulling image "${image}"`, name),
      events.failed('Error: ImagePullBackOff', name),
    ],
  };
}

/** A run is counted where it begins, in the same write that shows it: so it is counted once. */
function start(context: ContainerContext): StageEffect {
  const { container, status, view, script, now } = context;
  const { image, name } = container;
  const hasRun = status.containerId !== '';
  const restartCount = hasRun ? status.restartCount + 1 : status.restartCount;
  const hook = container.postStart === undefined ? {} : { hook: 'postStart' as const };
  return {
    status: {
      image,
      imageId: imageIdOf(image),
      containerId: containerIdOf(view.uid, name, restartCount),
      ready: false,
      started: false,
      restartCount,
      state: { type: 'running', startedAt: now },
      last: lastOf(context),
    },
    memory: { step: 'running', since: now, startedAt: now, tallies: {}, stop: undefined },
    events: [
      events.created(`Created container: ${name}`, name),
      events.started(`Started container ${name}`, name),
    ],
    logs: [
      `container ${name} of pod ${view.namespace}/${view.name} started from ${image}`,
      ...script.logLines,
    ],
    ...hook,
  };
}
