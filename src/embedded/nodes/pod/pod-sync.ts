import { textAt } from '#base/json.ts';
import { later, millis, parseTime, type Instant } from '#base/time.ts';
import { annotationsOf } from '#kube/object.ts';
import { tuningTexts, type TuningTexts } from '#embedded/nodes/tuning/annotations.ts';
import type { ContainerScript } from '#embedded/nodes/tuning/script.ts';
import type { SimulatedContainer } from './simulated-container.ts';
import { readContainerStatus, type ContainerStatus } from './container-status.ts';
import type { StageEffect, PodEvent } from './container-context.ts';
import { hookEvent } from './pod-events.ts';
import { isTerminal } from './pod-phase.ts';
import { statusListOf, type ContainerSpec, type KubeletPod } from './kubelet-pod.ts';
import { matchesStatus, restoreMemory } from './restore-memory.ts';
import type { LifecycleHookCall, LogEntry, PodSyncInput, PodSyncResult } from './sync-result.ts';

export type PodFailure = { readonly reason: string; readonly message: string };
const deadlineExceeded: PodFailure = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

export type PodSync = {
  readonly input: PodSyncInput;
  readonly containers: SimulatedContainer[];
  readonly scripts: (ContainerScript & { readonly of: number })[];
  readonly texts: TuningTexts;
  readonly failure: PodFailure | undefined;
  readonly deadline: Instant | undefined;
  apply(index: number, row: string, change: StageEffect): void;
  readonly output: Pick<PodSyncResult, 'rows' | 'events' | 'logs' | 'hooks'>;
};

export function beginSync(input: PodSyncInput): PodSync {
  const { view, now } = input;
  const containers = view.containers.map((container) => simulatedContainer(input, container));
  const deadline = deadlineOf(input);
  const hasFailed = textAt(view.status, 'reason') === deadlineExceeded.reason;
  const isLate = deadline !== undefined && deadline <= now && !isTerminal(textAt(view.status, 'phase'));
  const rows: string[] = [];
  const events: PodEvent[] = [];
  const logs: LogEntry[] = [];
  const hooks: LifecycleHookCall[] = [];
  if (isLate) events.push({ type: 'Normal', ...deadlineExceeded, routine: false });
  return {
    input,
    containers,
    output: { rows, events, logs, hooks },
    scripts: [],
    texts: textsOf(input),
    failure: isLate || hasFailed ? deadlineExceeded : undefined,
    deadline: isLate || hasFailed ? undefined : deadline,
    apply(index, row, change) {
      rows.push(row);
      const one = containers[index];
      if (one === undefined) return;
      const status = { ...one.status, ...change.status };
      containers[index] = { ...one, status, memory: { ...one.memory, ...change.memory } };
      events.push(...(change.events ?? []));
      const { name: container } = one.container;
      for (const line of change.logs ?? []) logs.push({ container, restartCount: status.restartCount, line });
      if (change.hook === undefined) return;
      hooks.push({ container, hook: change.hook });
      events.push(hookEvent(change.hook, container));
    },
  };
}

function deadlineOf({ view, settings, now }: PodSyncInput): Instant | undefined {
  if (view.activeDeadline === undefined || isTerminal(textAt(view.status, 'phase'))) return undefined;
  const started = parseTime(textAt(view.status, 'startTime') ?? '') ?? now;
  return later(started, millis(view.activeDeadline * settings.timeScale));
}

function simulatedContainer(
  { view, state, settings, now }: PodSyncInput,
  container: ContainerSpec,
): SimulatedContainer {
  const status =
    readContainerStatus(view.status, statusListOf[container.kind], container.name) ?? unseen(view, container);
  const known = state[container.name];
  const memory =
    known !== undefined && matchesStatus(known, status) ? known : restoreMemory(status, settings, now);
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
