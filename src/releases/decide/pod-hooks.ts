import type { PodHook } from '#releases/kinds/pod-hook.ts';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { RunPhase } from '#hooks/kinds/hook-run.ts';
import type { HookArg } from '#hooks/kinds/metric.ts';
import { listAt, textAt } from '#base/json.ts';
import { formatTime, later, seconds, type Instant } from '#base/time.ts';
import { runFromTemplate, type RunOrder } from '#hooks/decide/make-run.ts';
import { templateProblem } from '#hooks/decide/template-problem.ts';
import { isDeleting, kindOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerReference } from '#kube/workload/owner.ts';
import { createdAt } from '#kube/workload/pod-facts.ts';
import type { EventNote, ReleaseAction } from '#releases/model/action.ts';
import type { ReleasePod } from './pod-view.ts';
import type { Blocker } from '#releases/model/blocker.ts';
import { originOf, runLabels, type HookPoint } from '#releases/model/run-labels.ts';
import { fitted, longestLabel } from '#kube/workload/fitted.ts';
import { badMessage, isBad, isGood, phaseOf, waitingFor } from '#hooks/decide/run-phase.ts';
import { freeName } from './steps/step-hook-run.ts';
import { workloadNameAnnotation, workloadUidLabel } from '#releases/model/well-known.ts';

export type PodHookPoint = Exclude<HookPoint, 'canary-step'>;

/** An entry of preDeleteHookCondition and the like in the status. */
export type PodHookEntry = {
  readonly podName: string;
  readonly startTime?: string;
  readonly phase?: RunPhase;
};

export type PodHooksGiven = {
  readonly workload: KubeObject;
  readonly runs: readonly KubeObject[];
  readonly isTaken: (name: string) => boolean;
  readonly template: (name: string) => HookTemplate | undefined;
  /** The suffix or the ordinal in the name of a pod. */
  readonly instanceOf: (pod: ReleasePod) => string;
  readonly now: Instant;
};

/** Whether the pod may be deleted or updated; if not yet, what to do and what to wait for. */
export type PodHookAnswer =
  /** `notes`: it goes on without the verdict of its hook. */
  | { readonly isAllowed: true; readonly notes: readonly EventNote[] }
  | {
      readonly isAllowed: false;
      readonly actions: readonly ReleaseAction[];
      /** For the status. */
      readonly entry: PodHookEntry;
      readonly blocker: Blocker;
      readonly wakeAt: Instant | undefined;
    };

type WaitingAnswer = Extract<PodHookAnswer, { readonly isAllowed: false }>;

const prefixes: Readonly<Record<PodHookPoint, string>> = {
  'pre-delete': 'predelete',
  'pre-inplace': 'preinplace',
  'post-inplace': 'postinplace',
};

/** The hooks of single pods. HookRuns are indexed by point, revision, instance and pod, once per decision. */
export class PodHooks {
  readonly #given: PodHooksGiven;
  readonly #runs = new Map<string, KubeObject>();
  readonly #instances = new Set<string>();

  constructor(given: PodHooksGiven) {
    this.#given = given;
    for (const run of given.runs) {
      const { point, revision, instance, podUid } = originOf(run);
      this.#runs.set(`${point} ${revision} ${instance} ${podUid}`, run);
      this.#instances.add(instance);
    }
  }

  runFor(point: PodHookPoint, view: ReleasePod): KubeObject | undefined {
    if (this.#runs.size === 0) return undefined;
    const instance = this.#given.instanceOf(view);
    // Fast path: most pods have no HookRun.
    if (!this.#instances.has(instance)) return undefined;
    const ofPlace = `${point} ${fitted(view.revision)} ${instance}`;
    return this.#runs.get(`${ofPlace} ${uidOf(view.pod)}`) ?? this.#runs.get(`${ofPlace} `);
  }

  /** Whether a pod has a HookRun. Such a pod stays chosen. */
  isAsked(point: PodHookPoint, view: ReleasePod): boolean {
    return this.runFor(point, view) !== undefined;
  }

  /** The status entry of a pod with a HookRun that has not passed. */
  entryFor(point: PodHookPoint, view: ReleasePod): PodHookEntry | undefined {
    const run = this.runFor(point, view);
    return run === undefined || isGood(run) ? undefined : entryOf(view, run);
  }

  ask(
    point: PodHookPoint,
    strategy: PodHook | undefined,
    view: ReleasePod,
    extra: readonly HookArg[] = [],
  ): PodHookAnswer {
    if (strategy?.hook === undefined) return allowed;
    const run = this.runFor(point, view);
    if (run === undefined) return this.#begin(point, strategy, view, extra);
    if (isGood(run)) return allowed;
    return this.#standing(strategy, view, run);
  }

  #standing(strategy: PodHook, view: ReleasePod, run: KubeObject): PodHookAnswer {
    const { now } = this.#given;
    const pod = view.facts.name;
    const entry = entryOf(view, run);
    const deadline =
      strategy.deadlineSeconds === undefined
        ? undefined
        : later(createdAt(run), seconds(strategy.deadlineSeconds));
    if (deadline !== undefined && now >= deadline) {
      if (strategy.onDeadline === 'Proceed') return pastDeadline(view, run, strategy.deadlineSeconds ?? 0);
      return waiting(entry, deadlineBlocker(pod, run, strategy.deadlineSeconds ?? 0));
    }
    if (isBad(run)) return waiting(entry, badBlocker(pod, run), deadline);
    const { blocker, wakeAt } = waitingFor(run, `Pod ${pod}`, now);
    return waiting(entry, { ...blocker, reason: podReason(blocker) }, earlier(deadline, wakeAt));
  }

  #begin(point: PodHookPoint, strategy: PodHook, view: ReleasePod, extra: readonly HookArg[]): PodHookAnswer {
    const { workload, now, instanceOf, isTaken } = this.#given;
    const templateName = strategy.hook?.templateName ?? '';
    const pod = view.facts.name;
    const entry = { podName: pod, startTime: formatTime(now), phase: 'Pending' } as const;
    const template = this.#given.template(templateName);
    if (template === undefined) {
      const message = `Pod ${pod} waits for a hook that does not exist: create the HookTemplate ${templateName} in namespace ${namespaceOf(workload)}, or correct the strategy.`;
      return waiting(entry, { reason: 'HookTemplateMissing', message });
    }
    const invalid = templateProblem(template);
    if (invalid !== undefined) {
      const message = `Pod ${pod} cannot be asked about by HookTemplate ${templateName}: ${invalid}. Correct the HookTemplate.`;
      return waiting(entry, { reason: 'HookTemplateInvalid', message });
    }
    const instance = instanceOf(view);
    const { revision } = view;
    const name = freeName(fitted(`${prefixes[point]}-${revision}-${instance}-${templateName}`), isTaken);
    const made = runFromTemplate({
      template,
      name,
      namespace: namespaceOf(workload),
      labels: {
        ...runLabels({
          kind: kindOf(workload),
          workload: nameOf(workload),
          revision,
          point,
          instance,
          podUid: uidOf(view.pod),
        }),
        ...(isDeleting(workload) && { [workloadUidLabel]: uidOf(workload) }),
      },
      ...belonging(workload),
      given: strategy.hook?.args ?? [],
      injected: [...podArgs(view), ...extra],
    });
    if (made.type === 'refused') {
      const message = `Pod ${pod} cannot be asked about by HookTemplate ${templateName}: ${made.message}.`;
      return waiting(entry, { reason: 'HookArgMissing', message });
    }
    const message = `Pod ${pod} is about to be asked about by HookRun ${name}.`;
    const answer = waiting(entry, { reason: 'WaitingForPodHook', message });
    return { ...answer, actions: [{ type: 'create-run', run: made.object }] };
  }
}

/** Not owned by a workload in deletion: the garbage collector would delete the HookRun first. */
function belonging(workload: KubeObject): Pick<RunOrder, 'owner' | 'annotations'> {
  if (!isDeleting(workload)) return { owner: controllerReference(workload) };
  const name = nameOf(workload);
  return name.length < longestLabel ? {} : { annotations: { [workloadNameAnnotation]: name } };
}

const allowed: PodHookAnswer = { isAllowed: true, notes: [] };

/** Events about the workload and about the pod. */
function pastDeadline({ pod, facts }: ReleasePod, run: KubeObject, limit: number): PodHookAnswer {
  const message = `Pod ${facts.name} goes on without its hook: HookRun ${nameOf(run)} has not passed within ${limit} s, and onDeadline is Proceed`;
  const note: EventNote = { type: 'Warning', reason: 'HookDeadlineProceed', message };
  return { isAllowed: true, notes: [note, { ...note, pod }] };
}

const waiting = (entry: PodHookEntry, blocker: Blocker, wakeAt?: Instant): WaitingAnswer => ({
  isAllowed: false,
  actions: [],
  entry,
  blocker,
  wakeAt,
});

const entryOf = (view: ReleasePod, run: KubeObject): PodHookEntry => ({
  podName: view.facts.name,
  startTime: formatTime(createdAt(run)),
  phase: knownPhase(run),
});

const podReason = ({ reason }: Blocker): Blocker['reason'] =>
  reason === 'WaitingForHook' ? 'WaitingForPodHook' : reason;

function badBlocker(pod: string, run: KubeObject): Blocker {
  const why = badMessage(run);
  return {
    reason: 'PodHookFailed',
    message: `Pod ${pod} stays as it is: HookRun ${nameOf(run)} is ${phaseOf(run)}${why === '' ? '' : ` (${why})`}. Set retry of the strategy to true to run the hook again.`,
  };
}

const deadlineBlocker = (pod: string, run: KubeObject, limit: number): Blocker => ({
  reason: 'PodHookDeadline',
  message: `Pod ${pod} stays as it is: HookRun ${nameOf(run)} has not passed within ${limit} s. Set retry of the strategy to true to run it again, or onDeadline to Proceed to continue.`,
});

const phases: ReadonlySet<string> = new Set(['Running', 'Successful', 'Failed', 'Error', 'Inconclusive']);
const knownPhase = (run: KubeObject): RunPhase =>
  phases.has(phaseOf(run)) ? (phaseOf(run) as RunPhase) : 'Pending';

export const earlier = (left: Instant | undefined, right: Instant | undefined): Instant | undefined =>
  left === undefined || (right !== undefined && right < left) ? right : left;

/** The args that are injected into the hooks of a pod. */
function podArgs({ pod, facts }: ReleasePod): readonly HookArg[] {
  return [
    { name: 'PodName', value: facts.name },
    { name: 'PodNamespace', value: namespaceOf(pod) },
    { name: 'PodIP', value: textAt(pod, 'status', 'podIP') ?? '' },
    { name: 'HostIP', value: textAt(pod, 'status', 'hostIP') ?? '' },
    ...listAt(pod, 'spec', 'containers').map((container, at) => ({
      name: `PodContainer[${at}]`,
      value: textAt(container, 'name') ?? '',
    })),
  ];
}
