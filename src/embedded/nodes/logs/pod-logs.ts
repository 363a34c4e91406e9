import { listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { parseTime, type Instant } from '#base/time.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import { statusLists } from '#embedded/nodes/pod/container-status.ts';
import type { LogEntry } from '#embedded/nodes/pod/sync-result.ts';
import { LogRing, type LogLine } from './log-ring.ts';
import { logText, printLine, type PodLogOptions } from './log-text.ts';

export type PodLogRequest = PodLogOptions & {
  readonly pod: KubeObject;
  readonly container: string;
  readonly previous?: boolean | undefined;
};

/** The logs behind `pods/log`. */
export type PodLogs = {
  /** What there is now. Undefined when the container never started, or has no previous run. */
  read(request: PodLogRequest): string | undefined;
  /** The same, and every line from then on, until the pod is gone or the signal aborts. */
  follow(request: PodLogRequest, signal: AbortSignal): AsyncIterable<string>;
};

type Runs = { restartCount: number; current: LogRing; previous: LogRing | undefined };
type Follower = (line: LogLine | undefined) => void;

const mostLines = 1000;

/** The lines of all containers, in memory. After a restart the first lines are derived from the status. */
export class PodLogStore implements PodLogs {
  readonly #pods = new Map<string, Map<string, Runs>>();
  readonly #followers = new Map<string, Set<Follower>>();

  write(uid: string, { container, restartCount, line }: LogEntry, at: Instant): void {
    const runs = this.#runsOf(uid, container, restartCount);
    const entry = { at, text: line };
    runs.current.add(entry);
    for (const follower of this.#followers.get(`${uid}/${container}`) ?? []) follower(entry);
  }

  forget(uid: string): void {
    for (const container of this.#pods.get(uid)?.keys() ?? []) {
      for (const follower of this.#followers.get(`${uid}/${container}`) ?? []) follower(undefined);
    }
    this.#pods.delete(uid);
  }

  read(request: PodLogRequest): string | undefined {
    const lines = this.#lines(request);
    return lines === undefined ? undefined : logText(lines, request);
  }

  async *follow(request: PodLogRequest, signal: AbortSignal): AsyncGenerator<string> {
    const waiting: LogLine[] = [];
    let isOver = signal.aborted || request.previous === true;
    let ring: () => void = () => undefined;
    const follower: Follower = (line) => {
      if (line === undefined) isOver = true;
      else waiting.push(line);
      ring();
    };
    const abort = (): void => follower(undefined);
    const leave = this.#join(`${uidOf(request.pod)}/${request.container}`, follower);
    signal.addEventListener('abort', abort);
    try {
      const first = this.read(request);
      if (first !== undefined && first !== '') yield first;
      for (;;) {
        while (waiting.length > 0)
          yield waiting
            .splice(0)
            .map((line) => printLine(line, request))
            .join('');
        if (isOver) return;
        await new Promise<void>((resolve) => (ring = resolve));
      }
    } finally {
      leave();
      signal.removeEventListener('abort', abort);
    }
  }

  #join(key: string, follower: Follower): () => void {
    const followers = this.#followers.get(key) ?? new Set();
    followers.add(follower);
    this.#followers.set(key, followers);
    return () => {
      followers.delete(follower);
      if (followers.size === 0) this.#followers.delete(key);
    };
  }

  #runsOf(uid: string, container: string, restartCount: number): Runs {
    const containers = this.#pods.get(uid) ?? new Map<string, Runs>();
    this.#pods.set(uid, containers);
    const known = containers.get(container);
    if (known?.restartCount === restartCount) return known;
    const runs = { restartCount, current: new LogRing(mostLines), previous: known?.current };
    containers.set(container, runs);
    return runs;
  }

  #lines({ pod, container, previous }: PodLogRequest): readonly LogLine[] | undefined {
    const runs = this.#pods.get(uidOf(pod))?.get(container);
    const output = previous === true ? runs?.previous : runs?.current;
    return output?.lines() ?? fromStatus(pod, container, previous === true);
  }
}

/** The output of a container, derived from the status of its pod. */
function fromStatus(pod: KubeObject, container: string, previous: boolean): readonly LogLine[] | undefined {
  const status = statusLists
    .flatMap((list) => listAt(pod, 'status', list))
    .find((each) => textAt(each, 'name') === container);
  const run = previous
    ? objectAt(status, 'lastState', 'terminated')
    : (objectAt(status, 'state', 'running') ?? objectAt(status, 'state', 'terminated'));
  if (run === undefined) return undefined;
  const line = (key: string, text: string): readonly LogLine[] => {
    const at = parseTime(textAt(run, key) ?? '');
    return at === undefined ? [] : [{ at, text }];
  };
  return [
    ...line('startedAt', `container ${container} started`),
    ...line('finishedAt', endText(container, run)),
  ];
}

const endText = (container: string, run: JsonObject): string =>
  `container ${container} ended with code ${numberAt(run, 'exitCode') ?? 0} (${textAt(run, 'reason') ?? ''})`;
