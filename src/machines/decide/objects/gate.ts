import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { HookArg } from '#hooks/kinds/metric.ts';
import type { GateStatus } from '#machines/kinds/operation-status.ts';
import { hashText } from '#base/hash.ts';
import type { JsonObject } from '#base/json.ts';
import { formatMicroTime, later, parseTime, type Instant } from '#base/time.ts';
import { runFromTemplate } from '#hooks/decide/make-run.ts';
import { pauseAfter } from '#machines/decide/plan.ts';
import { tkestackPolicy } from '#machines/decide/presets.ts';
import { badMessage, isBad, isGood, phaseOf, waitingFor } from '#hooks/decide/run-phase.ts';
import { fitted } from '#kube/workload/fitted.ts';
import { kindOf, labelsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { controllerReference } from '#kube/workload/owner.ts';
import { pauseTexts } from './pauses.ts';
import type { Gate } from './segments.ts';

export type GateGiven = {
  /** The Cluster or Machine whose operation it is. */
  readonly owner: KubeObject;
  readonly operation: { readonly id: string; readonly type: string; readonly version?: string };
  readonly gate: Gate;
  readonly before: GateStatus | undefined;
  readonly run: (namespace: string, name: string) => KubeObject | undefined;
  readonly template: (namespace: string, name: string) => HookTemplate | undefined;
  /** `spec.paused` of the Cluster. */
  readonly isPaused: boolean;
  /** A bad verdict has paused the Cluster. */
  readonly wasPausedByHook: boolean;
  /** A change of the spec starts another try now. */
  readonly isRetried: boolean;
  readonly now: Instant;
};

export type HookGateDecision = {
  readonly after: GateStatus | undefined;
  /** A HookRun to create. */
  readonly create?: JsonObject;
  /** An earlier HookRun to delete. */
  readonly outdated?: { readonly namespace: string; readonly name: string };
  /** Why it is not passed yet. */
  readonly hold?: {
    readonly reason: string;
    readonly message: string;
    readonly isBad: boolean;
    /** Until a user resumes the operation. */
    readonly pause?: boolean;
  };
  readonly wakeAt?: Instant;
};

/** The next state of a gate: one HookRun is created, and after a bad verdict another one, with growing pauses. */
export function decideGate(given: GateGiven): HookGateDecision {
  const { before, isPaused } = given;
  if (before === undefined) return isPaused ? held(undefined, userPause) : ask(given, 1);
  return before.state === 'Passed' ? { after: before } : lookAt(given, before);
}

function lookAt(given: GateGiven, before: GateStatus): HookGateDecision {
  const { gate, isPaused } = given;
  // A user has resumed the operation: the HookRun no longer matters.
  if (gate.pauses && given.wasPausedByHook && !isPaused) return passed(before);
  const { namespace = gate.template.namespace, run: name = '' } = before;
  const run = given.run(namespace, name);
  if (run !== undefined && !isOfOther(gate, run)) return judge(given, before, run);
  if (isPaused) return held(before, userPause);
  const { attempt = 1 } = before;
  if (run === undefined) return ask(given, attempt);
  return { ...ask(given, attempt + 1), outdated: { namespace, name } };
}

function judge(given: GateGiven, before: GateStatus, run: KubeObject): HookGateDecision {
  const { gate } = given;
  if (isGood(run)) return passed(before);
  if (isBad(run)) return gate.pauses ? afterBadBetween(given, before, run) : afterBad(given, before, run);
  const { blocker: hold, wakeAt } = waitingFor(run, gate.hook, given.now);
  const isStuck = hold.reason === 'NoHookController';
  return { ...held(before, { ...hold, isBad: isStuck }), ...(wakeAt !== undefined && { wakeAt }) };
}

const passed = (before: GateStatus): HookGateDecision => ({ after: { ...before, state: 'Passed' } });

const userPause = { reason: 'PausedByUser', message: pauseTexts.PausedByUser, isBad: false };

const held = (
  after: GateStatus | undefined,
  hold: NonNullable<HookGateDecision['hold']>,
): HookGateDecision => ({
  after,
  hold,
});

/** Manual approval, as in a canary step: `paused: false` resumes the operation. */
function afterBadBetween(given: GateGiven, before: GateStatus, run: KubeObject): HookGateDecision {
  const message = `${verdictText(given.gate, run)} Set spec.paused to false to continue with the next batch.`;
  return held(before, { reason: 'PausedByStepBasedHook', message, isBad: true, pause: true });
}

function afterBad(given: GateGiven, before: GateStatus, run: KubeObject): HookGateDecision {
  const attempt = before.attempt ?? 1;
  const since = parseTime(before.since ?? '') ?? given.now;
  const wakeAt = later(since, pauseAfter(tkestackPolicy(undefined), attempt));
  if (!given.isPaused && (given.isRetried || given.now >= wakeAt)) return ask(given, attempt + 1);
  const after = { ...before, since: formatMicroTime(since) };
  const message = `${verdictText(given.gate, run)} It runs again until it is Successful.`;
  return { ...held(after, { reason: 'HookRunBad', message, isBad: true }), wakeAt };
}

function verdictText({ hook, node }: Gate, run: KubeObject): string {
  const why = badMessage(run);
  return `${node}: ${hook}: HookRun ${nameOf(run)} is ${phaseOf(run)}${why === '' ? '' : ` (${why})`}.`;
}

function ask(given: GateGiven, attempt: number): HookGateDecision {
  const { gate, owner, operation } = given;
  const { namespace, templateName, args } = gate.template;
  const template = given.template(namespace, templateName);
  if (template === undefined)
    return held(given.before, {
      reason: 'HookTemplateMissing',
      message: `${gate.hook} refers to a HookTemplate that does not exist: create ${templateName} in namespace ${namespace}, or correct the entry.`,
      isBad: true,
    });
  const name = runName(given, attempt);
  const declared = new Set((template.spec.args ?? []).map((arg) => arg.name));
  const made = runFromTemplate({
    template,
    name,
    namespace,
    labels: {
      'boathook.dev/workload-kind': kindOf(owner),
      'boathook.dev/workload': fitted(nameOf(owner)),
      'boathook.dev/operation': fitted(operation.id),
      'boathook.dev/hook-point': gate.hook,
      [questionLabel]: questionHash(gate),
    },
    owner: controllerReference(owner),
    given: args,
    injected: injectedArgs(given).filter((arg) => declared.has(arg.name)),
  });
  if (made.type === 'refused')
    return held(given.before, {
      reason: 'HookArgMissing',
      message: `${gate.hook} cannot run HookTemplate ${templateName}: ${made.message}.`,
      isBad: true,
    });
  const after: GateStatus = { name: gate.name, state: 'Asked', namespace, run: name, attempt };
  const hold = { reason: 'WaitingForHook', message: `${gate.hook} waits for HookRun ${name}.`, isBad: false };
  return {
    after,
    create: made.object,
    hold,
    ...(attempt > keptRuns && { outdated: { namespace, name: runName(given, attempt - keptRuns) } }),
  };
}

/** HookRuns of a gate that are kept. */
const keptRuns = 3;

/** Distinguishes HookRuns after the entry was changed, as with canary steps. */
const questionLabel = 'boathook.dev/step-hash';
const questionHash = ({ template: { namespace, templateName, args } }: Gate): string =>
  hashText(JSON.stringify([namespace, templateName, args.map(({ name, value }) => [name, value])]));

function isOfOther(gate: Gate, run: KubeObject): boolean {
  const hash = labelsOf(run)[questionLabel];
  return hash !== undefined && hash !== questionHash(gate);
}

/** The same gate of the same operation has the same name, so that its HookRun is found again after a crash. */
const runName = ({ owner, operation, gate }: GateGiven, attempt: number): string =>
  fitted(
    `${nameOf(owner)}-${operation.id}-${gate.name}-${attempt}`.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-'),
  );

const injectedArgs = ({ owner, operation, gate }: GateGiven): readonly HookArg[] => [
  { name: 'WorkloadKind', value: kindOf(owner) },
  { name: 'WorkloadName', value: nameOf(owner) },
  { name: 'Operation', value: operation.type },
  { name: 'ClusterVersion', value: operation.version ?? '' },
  { name: 'HookType', value: gate.hook },
  { name: 'NodeName', value: gate.node },
];
