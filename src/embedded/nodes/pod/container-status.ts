import { at, listAt, numberAt, objectAt, textAt, without, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, instant, parseTime, type Instant } from '#base/time.ts';

/** How a run ended. */
export type Ended = {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: Instant | undefined;
  readonly finishedAt: Instant | undefined;
  readonly containerId: string;
};

export type ContainerState =
  | { readonly type: 'waiting'; readonly reason: string; readonly message?: string }
  | { readonly type: 'running'; readonly startedAt: Instant }
  | { readonly type: 'ended'; readonly ended: Ended };

/** A container as its pod's status shows it. */
export type ContainerStatus = {
  readonly name: string;
  readonly image: string;
  readonly imageId: string;
  readonly containerId: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly state: ContainerState;
  readonly last: Ended | undefined;
  /** Other fields of the status, kept as they are. */
  readonly rest: JsonObject;
};

export const statusLists = [
  'initContainerStatuses',
  'containerStatuses',
  'ephemeralContainerStatuses',
] as const;
export type StatusList = (typeof statusLists)[number];

/** Reads the status of one container; undefined when the pod's status does not have it yet. */
export function readContainerStatus(
  status: JsonObject,
  list: StatusList,
  name: string,
): ContainerStatus | undefined {
  const found = listAt(status, list).find((each) => at(each, 'name') === name);
  const rest = objectAt({ found: found ?? null }, 'found');
  if (rest === undefined) return undefined;
  return {
    name,
    image: textAt(rest, 'image') ?? '',
    imageId: textAt(rest, 'imageID') ?? '',
    containerId: textAt(rest, 'containerID') ?? '',
    ready: at(rest, 'ready') === true,
    started: at(rest, 'started') === true,
    restartCount: numberAt(rest, 'restartCount') ?? 0,
    state: readState(objectAt(rest, 'state')),
    last: readEnded(objectAt(rest, 'lastState', 'terminated')),
    rest,
  };
}

export function printContainerStatus(status: ContainerStatus): JsonObject {
  const { name, image, ready, started, restartCount, state, last, rest } = status;
  const base = status.containerId === '' ? without(rest, 'containerID') : rest;
  return {
    ...base,
    ...(status.containerId === '' ? {} : { containerID: status.containerId }),
    image,
    imageID: status.imageId,
    lastState: last === undefined ? {} : { terminated: printEnded(last) },
    name,
    ready,
    restartCount,
    started,
    state: printState(state),
  };
}

function readState(state: JsonObject | undefined): ContainerState {
  const running = objectAt(state, 'running');
  if (running !== undefined)
    return { type: 'running', startedAt: timeAt(running, 'startedAt') ?? instant(0) };
  const ended = readEnded(objectAt(state, 'terminated'));
  if (ended !== undefined) return { type: 'ended', ended };
  const message = textAt(state, 'waiting', 'message');
  return {
    type: 'waiting',
    reason: textAt(state, 'waiting', 'reason') ?? '',
    ...(message === undefined ? {} : { message }),
  };
}

function readEnded(ended: JsonObject | undefined): Ended | undefined {
  if (ended === undefined) return undefined;
  const message = textAt(ended, 'message');
  return {
    exitCode: numberAt(ended, 'exitCode') ?? 0,
    reason: textAt(ended, 'reason') ?? '',
    ...(message === undefined ? {} : { message }),
    startedAt: timeAt(ended, 'startedAt'),
    finishedAt: timeAt(ended, 'finishedAt'),
    containerId: textAt(ended, 'containerID') ?? '',
  };
}

function printState(state: ContainerState): JsonObject {
  switch (state.type) {
    case 'waiting': {
      const { reason, message } = state;
      return { waiting: message === undefined ? { reason } : { reason, message } };
    }
    case 'running':
      return { running: { startedAt: formatTime(state.startedAt) } };
    case 'ended':
      return { terminated: printEnded(state.ended) };
  }
}

const printEnded = (ended: Ended): JsonObject => ({
  ...(ended.containerId === '' ? {} : { containerID: ended.containerId }),
  exitCode: ended.exitCode,
  finishedAt: printTime(ended.finishedAt),
  ...(ended.message === undefined ? {} : { message: ended.message }),
  reason: ended.reason,
  startedAt: printTime(ended.startedAt),
});

const printTime = (at: Instant | undefined): Json => (at === undefined ? null : formatTime(at));

function timeAt(object: JsonObject, key: string): Instant | undefined {
  const text = textAt(object, key);
  return text === undefined ? undefined : parseTime(text);
}
