import { textAt } from '#base/json.ts';
import { later, millis, parseTime, type Instant } from '#base/time.ts';
import { annotationsOf } from '#kube/object.ts';
import { tuningTexts, type TuningTexts } from '#embedded/nodes/tuning/annotations.ts';
import type { ContainerScript } from '#embedded/nodes/tuning/script.ts';
import type { Actor } from './cast.ts';
import { readContainerStatus, type ContainerStatus } from './container-status.ts';
import type { StageEffect, PodEvent } from './moment.ts';
import { hookNote } from './notes.ts';
import { isTerminal } from './phase-name.ts';
import { statusListOf, type ContainerSpec, type KubeletPod } from './pod-view.ts';
import { fits, recall } from './recall.ts';
import type { LifecycleHookCall, LogEntry, PodSyncInput, PodSyncResult } from './turn.ts';

export type PodFailure = { readonly reason: string; readonly message: string };
const overtime: PodFailure = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

export type Scene = {
  readonly input: PodSyncInput;
  readonly actors: Actor[];
  readonly scripts: (ContainerScript & { readonly of: number })[];
  readonly texts: TuningTexts;
  readonly failure: PodFailure | undefined;
  readonly deadline: Instant | undefined;
  apply(index: number, row: string, change: StageEffect): void;
  readonly told: Pick<PodSyncResult, 'rows' | 'notes' | 'logs' | 'hooks'>;
};

export function openScene(input: PodSyncInput): Scene {
  const { view, now } = input;
  const actors = view.containers.map((container) => actorOf(input, container));
  const deadline = deadlineOf(input);
  const hasFailed = textAt(view.status, 'reason') === overtime.reason;
  const isLate = deadline !== undefined && deadline <= now && !isTerminal(textAt(view.status, 'phase'));
  const rows: string[] = [];
  const notes: PodEvent[] = [];
  const logs: LogEntry[] = [];
  const hooks: LifecycleHookCall[] = [];
  if (isLate) notes.push({ type: 'Normal', ...overtime, routine: false });
  return {
    input,
    actors,
    told: { rows, notes, logs, hooks },
    scripts: [],
    texts: textsOf(input),
    failure: isLate || hasFailed ? overtime : undefined,
    deadline: isLate || hasFailed ? undefined : deadline,
    apply(index, row, change) {
      rows.push(row);
      const actor = actors[index];
      if (actor === undefined) return;
      const status = { ...actor.status, ...change.status };
      actors[index] = { ...actor, status, memory: { ...actor.memory, ...change.memory } };
      notes.push(...(change.notes ?? []));
      const { name: container } = actor.container;
      for (const line of change.logs ?? []) logs.push({ container, restartCount: status.restartCount, line });
      if (change.hook === undefined) return;
      hooks.push({ container, hook: change.hook });
      notes.push(hookNote(change.hook, container));
    },
  };
}

function deadlineOf({ view, settings, now }: PodSyncInput): Instant | undefined {
  if (view.activeDeadline === undefined || isTerminal(textAt(view.status, 'phase'))) return undefined;
  const started = parseTime(textAt(view.status, 'startTime') ?? '') ?? now;
  return later(started, millis(view.activeDeadline * settings.timeScale));
}

function actorOf({ view, state, settings, now }: PodSyncInput, container: ContainerSpec): Actor {
  const status =
    readContainerStatus(view.status, statusListOf[container.kind], container.name) ?? unseen(view, container);
  const known = state[container.name];
  const memory = known !== undefined && fits(known, status) ? known : recall(status, settings, now);
  return { container, status, memory };
}

const unseen = (view: KubeletPod, { name, image }: ContainerSpec): ContainerStatus => ({
  name,
  image,
  imageId: '',
  containerId: '',
  ready: false,
  started: false,
  restartCount: 0,
  state: { type: 'waiting', reason: view.hasInit ? 'PodInitializing' : 'ContainerCreating' },
  last: undefined,
  rest: {},
});

function textsOf({ rules, view }: PodSyncInput): TuningTexts {
  const own = tuningTexts(annotationsOf(view.pod));
  return rules === noRules ? own : { ...rules, ...own };
}

export const noRules: TuningTexts = {};
