import { at, isObject, listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { isInitialized, isInit, isOrdinary, type SimulatedContainer } from './simulated-container.ts';
import type { PodPhase } from './pod-phase.ts';
import type { KubeletPod } from './kubelet-pod.ts';

type Verdict = { readonly status: 'True' | 'False'; readonly reason?: string; readonly message?: string };

/** The conditions of a kubelet, in the order in which it writes them. */
const own = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'] as const;
type OwnCondition = (typeof own)[number];
const ownNames: ReadonlySet<string> = new Set(own);

export type Situation = {
  readonly view: KubeletPod;
  readonly containers: readonly SimulatedContainer[];
  readonly phase: PodPhase;
  readonly hasSandbox: boolean;
  readonly now: Instant;
};

/** The conditions of other writers unchanged, then the kubelet's own. */
export function conditionsOf(situation: Situation): readonly Json[] {
  const before = listAt(situation.view.status, 'conditions');
  const others = before.filter((each) => !ownNames.has(textAt(each, 'type') ?? ''));
  const verdicts = judge(situation);
  return [
    ...others,
    ...own.map((type) => {
      const old = before.find((each) => at(each, 'type') === type);
      return condition(situation, type, verdicts[type], isObject(old) ? old : undefined);
    }),
  ];
}

function condition(
  { view, now }: Situation,
  type: OwnCondition,
  verdict: Verdict,
  old: JsonObject | undefined,
): JsonObject {
  const isSame = old?.['status'] === verdict.status;
  const generation = numberAt(view.pod, 'metadata', 'generation');
  return {
    type,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    status: verdict.status,
    lastProbeTime: null,
    lastTransitionTime: (isSame ? old['lastTransitionTime'] : undefined) ?? formatTime(now),
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    ...(verdict.message === undefined ? {} : { message: verdict.message }),
  };
}

const yes: Verdict = { status: 'True' };
const no: Verdict = { status: 'False' };

function judge(situation: Situation): Readonly<Record<OwnCondition, Verdict>> {
  const containersReady = judgeContainers(situation);
  return {
    PodReadyToStartContainers: situation.hasSandbox ? yes : no,
    Initialized: judgeInit(situation),
    Ready: containersReady.status === 'True' ? judgeGates(situation.view) : containersReady,
    ContainersReady: containersReady,
    PodScheduled: yes,
  };
}

const namesOf = (containers: readonly SimulatedContainer[]): string =>
  containers.map(({ status }) => status.name).join(' ');

function judgeInit({ containers, phase }: Situation): Verdict {
  const hasBegun = containers.some((each) => isOrdinary(each) && each.status.containerId !== '');
  const open = hasBegun ? [] : containers.filter((each) => isInit(each) && !isInitialized(each));
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (open.length === 0) return yes;
  return {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${namesOf(open)}]`,
  };
}

/** Ordinary containers and sidecars count. */
function judgeContainers({ containers, phase }: Situation): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const counted = containers.filter(
    ({ container }) => container.kind === 'ordinary' || container.kind === 'sidecar',
  );
  const unready = counted.filter(({ status }) => !status.ready);
  if (unready.length === 0) return yes;
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${namesOf(unready)}]`,
  };
}

/** Other controllers set the conditions of readiness gates; a kubelet only reads them. */
function judgeGates({ pod, status }: KubeletPod): Verdict {
  const conditions = listAt(status, 'conditions');
  const messages = listAt(pod, 'spec', 'readinessGates').flatMap((gate) => {
    const type = textAt(gate, 'conditionType') ?? '';
    const found = conditions.find((each) => at(each, 'type') === type);
    if (found === undefined)
      return [`corresponding condition of pod readiness gate ${JSON.stringify(type)} does not exist.`];
    const state = textAt(found, 'status') ?? '';
    if (state === 'True') return [];
    return [`the status of pod readiness gate ${JSON.stringify(type)} is not "True", but ${state}`];
  });
  if (messages.length === 0) return yes;
  return {
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`,
  };
}
