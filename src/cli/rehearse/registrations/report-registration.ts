import { defined } from '#base/defined.ts';
import { listAt, textAt, type Json } from '#base/json.ts';
import { later, type Instant } from '#base/time.ts';
import type { OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import { kindOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import type {
  InstanceResult,
  RegistrationOutcome,
  RegistrationReport,
  RehearsedHookCall,
  RehearsedInstance,
  RehearsedRegistration,
} from '#rehearse/registrations/registration-report.ts';
import type { VirtualCluster } from '#cli/rehearse/virtual-cluster.ts';
import { comparedChildren, hasOtherTemplate, type InstanceState } from './instance-states.ts';
import { missingReferences } from './missing-references.ts';
import type { RegistrationCall } from './registration-answers.ts';
import type { RegistrationPlan } from './registration-plan.ts';
import type { QuietEnd } from './until-quiet.ts';

export type NotedCall = RegistrationCall & { readonly at: Instant; readonly answer: OutgoingAnswer };

type States = ReadonlyMap<string, InstanceState>;

export type RehearsedEdit = {
  readonly plan: RegistrationPlan;
  readonly seed: number;
  readonly cluster: VirtualCluster;
  readonly before: States;
  readonly after: States;
  /** The registrations at the end. */
  readonly registered: readonly KubeObject[];
  /** The least number of ready pods by instance. */
  readonly lowest: ReadonlyMap<string, number>;
  readonly calls: readonly NotedCall[];
  readonly edited: Instant;
  readonly end: QuietEnd;
  readonly notRun: readonly string[];
};

export function registrationReportOf(rehearsed: RehearsedEdit): RegistrationReport {
  const { plan, seed, cluster, before, after, registered, calls, edited, end, notRun } = rehearsed;
  const instances = [...new Set([...before.keys(), ...after.keys()])]
    .toSorted()
    .map((title) => instanceOf(title, rehearsed));
  const states = registered.map(registrationOf);
  return {
    edits: plan.edits.map((each) => `${kindOf(each)} ${nameOf(each)}`),
    seed,
    outcome: outcomeOf(instances, states, end),
    seconds: (end.isQuiet ? end.last - edited : plan.horizon) / 1000,
    registrations: states,
    instances,
    calls: calls.filter(({ at }) => at <= later(edited, plan.horizon)).map((call) => callOf(call, edited)),
    assumptions: assumptionsOf(plan),
    warnings: [...plan.warnings, ...missingReferences(cluster, [...after.values()])],
    notRun,
  };
}

function outcomeOf(
  instances: readonly RehearsedInstance[],
  states: readonly RehearsedRegistration[],
  { isQuiet }: QuietEnd,
): RegistrationOutcome {
  const failed = instances.filter(({ result }) => result === 'fails');
  const broken = states.filter(({ isReady }) => !isReady);
  const named = (all: readonly RehearsedInstance[]): string =>
    all
      .slice(0, 3)
      .map(({ title, message = '' }) => `${title}: ${message}`)
      .join('; ') + (all.length > 3 ? `; and ${all.length - 3} more` : '');
  if (failed.length > 0) return { type: 'Fails', message: named(failed) };
  const [first] = broken;
  if (first !== undefined)
    return {
      type: 'Fails',
      message: `CRDRegistration ${first.name}: ${first.reason} ${first.message}`.trim(),
    };
  if (!isQuiet) return { type: 'ReachesHorizon', message: 'objects still change' };
  const waiting = instances.filter(({ result }) => result === 'waits');
  return waiting.length > 0 ? { type: 'Waits', message: named(waiting) } : { type: 'Completes' };
}

function registrationOf(object: KubeObject): RehearsedRegistration {
  const ready = conditionOf(object, 'Ready');
  const bad = listAt(object, 'status', 'conditions').find((each) => textAt(each, 'status') === 'False');
  return {
    name: nameOf(object),
    isReady: textAt(ready, 'status') === 'True',
    reason: textAt(bad ?? ready, 'reason') ?? '',
    message: textAt(bad ?? ready, 'message') ?? '',
  };
}

const conditionOf = (object: KubeObject, type: string): Json | undefined =>
  listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === type);

function instanceOf(title: string, { before: old, after: now, lowest }: RehearsedEdit): RehearsedInstance {
  const [before, after] = [old.get(title), now.get(title)];
  const trouble = troubleOf(after);
  const children = comparedChildren(before, after);
  const isChanged = children.some(({ change }) => change !== 'same');
  return defined<RehearsedInstance>({
    title,
    registration: (after ?? before)?.registration ?? '',
    result: trouble?.type ?? resultOf({ before, after, isChanged }),
    message: trouble?.message,
    isOld: trouble === undefined ? undefined : troubleOf(before)?.message === trouble.message,
    ...podCounts(before, after),
    lowestReady: lowest.get(title) ?? 0,
    children,
  });
}

function podCounts(
  before: InstanceState | undefined,
  after: InstanceState | undefined,
): Pick<RehearsedInstance, 'podsBefore' | 'podsReplaced'> {
  const stays = new Set(after?.pods.map(uidOf));
  const pods = before?.pods ?? [];
  return { podsBefore: pods.length, podsReplaced: pods.filter((pod) => !stays.has(uidOf(pod))).length };
}

type Compared = {
  readonly before: InstanceState | undefined;
  readonly after: InstanceState | undefined;
  readonly isChanged: boolean;
};

function resultOf({ before, after, isChanged }: Compared): InstanceResult {
  if (after === undefined) return 'removed';
  if (before === undefined) return 'created';
  if (before.children.length > 0 && hasOtherTemplate(before, after)) return 'rolls';
  return isChanged ? 'changed' : 'unchanged';
}

type Trouble = { readonly type: 'fails' | 'waits'; readonly message: string };

/** Why an instance is not ready; undefined: it is, or its kind has no conditions. */
function troubleOf(state: InstanceState | undefined): Trouble | undefined {
  const instance = state?.object ?? {};
  const conditions = listAt(instance, 'status', 'conditions');
  if (conditions.length === 0) return undefined;
  const ready = conditionOf(instance, 'Ready');
  if (textAt(ready, 'status') === 'True') return undefined;
  const halted = conditionOf(instance, 'Reconciled');
  const others = conditions.filter((each) => textAt(each, 'type') !== 'Ready');
  const isOf = (status: string) => (each: Json) => textAt(each, 'status') === status;
  const bad = halted ?? others.find(isOf('False')) ?? others.find(isOf('Unknown')) ?? ready;
  const words = [textAt(bad, 'type'), textAt(bad, 'reason'), textAt(bad, 'message')];
  const message = words.filter((each) => each !== undefined && each !== '').join(': ');
  const isFailed = halted === undefined ? textAt(ready, 'status') === 'False' : !isGate(halted);
  return { type: isFailed ? 'fails' : 'waits', message };
}

/** A gate that has not come to its verdict. */
const isGate = (condition: Json): boolean => textAt(condition, 'reason') === 'GATEWAITING';

function callOf(
  { at, answer, registration, instance, phase }: NotedCall,
  edited: Instant,
): RehearsedHookCall {
  const isGood = answer.type === 'answer' && answer.status >= 200 && answer.status < 300;
  const said = answer.type === 'answer' ? answer.body.slice(0, 200) : '';
  const status =
    answer.type === 'answer' ? `${answer.status}${isGood || said === '' ? '' : `: ${said}`}` : answer.message;
  return { at: (at - edited) / 1000, registration, instance, phase, status, isGood };
}

const assumptionsOf = ({ registrations: all, hooks, isLive }: RegistrationPlan): readonly string[] => [
  ...all.flatMap(({ name, hook }) =>
    hook === undefined || hooks.has(name) || isLive
      ? []
      : [
          `the hook of CRDRegistration ${name} was assumed to reply nothing: give --hook ${name}=FILE with a reply for each phase, --hook ${name}=fail-after:N, or --live-hooks`,
        ],
  ),
  ...all.flatMap(({ gate }) =>
    gate === undefined || hooks.has(gate.templateName)
      ? []
      : [
          `the gate ${gate.templateName} was assumed to pass: give --hook ${gate.templateName}=fail, or a recorded reply`,
        ],
  ),
];
