import { ownConditions } from '#registrations/kinds/crd-registration.ts';
import type { HookReply } from '#registrations/kinds/reply.ts';
import {
  equalJson,
  isNumber,
  isArray,
  isObject,
  listAt,
  objectAt,
  textAt,
  without,
  type Json,
  type JsonObject,
} from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { Instant } from '#base/time.ts';
import { metaOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { addressOfChildren, isOwnAddress } from './instance-address.ts';
import { childName } from './children.ts';
import type { Condition, ConditionStatus } from '#kube/conditions.ts';
import { foldReady, settleConditions } from './conditions.ts';
import type { Children } from './cycle.ts';
import { formConditions } from './form-conditions.ts';
import type { InstanceKind } from './inspect-crd.ts';
import type { Registration, ControllerEnvironment } from '#registrations/model/registration.ts';

/** Why a reconciliation stopped. */
export type ReconcileProblem = {
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
};

export type StatusGiven = {
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly environment: ControllerEnvironment;
  readonly instance: KubeObject;
  readonly now: Instant;
  /** Live children that the instance controls. */
  readonly live: Children;
  /** The effective replies, in the order of the phases. */
  readonly replies: readonly Pick<HookReply, 'conditions' | 'annotations'>[];
  /** Whether all phases were answered, so that annotations which the hook does not report any more are removed. */
  readonly isWhole: boolean;
  /** Why conditions of the hook are missing. */
  readonly hookProblem: ReconcileProblem | undefined;
  readonly problem: ReconcileProblem | undefined;
  /** Values of variables; undefined when rendering failed. */
  readonly values: ReadonlyMap<string, string> | undefined;
};

/** The new status of an instance, with the parts that its schema has; undefined when nothing changes. */
export function instanceStatus(given: StatusGiven): JsonObject | undefined {
  const { supports } = given.kind;
  if (!supports.subresource) return undefined;
  const before = objectAt(given.instance, 'status') ?? {};
  const parts: readonly [boolean, (status: JsonObject) => JsonObject][] = [
    [given.values !== undefined, (status) => withValues(status, given)],
    [supports.observedGeneration, (status) => ({ ...status, ...generationOf(given.instance) })],
    [supports.address, (status) => withAddress(status, given)],
    [supports.annotations, (status) => withAnnotations(status, given)],
    [supports.conditions, (status) => ({ ...status, conditions: conditionsOf(before, given) })],
  ];
  const after = parts.reduce((status, [isOn, change]) => (isOn ? change(status) : status), before);
  return equalJson(before, after) ? undefined : after;
}

function generationOf(instance: KubeObject): JsonObject {
  const { generation } = metaOf(instance);
  return isNumber(generation) ? { observedGeneration: generation } : {};
}

function conditionsOf(before: JsonObject, given: StatusGiven): readonly Json[] {
  const { registration, live, problem, now } = given;
  // First the problem that stopped the reconciliation: Ready reports the first bad condition.
  const conditions = [
    ...(problem === undefined ? [] : [{ type: 'Reconciled', ...problem }]),
    ...formConditions(registration.form, live, problem !== undefined),
    ...hookConditions(given),
  ];
  return settleConditions(listAt(before, 'conditions'), [...conditions, foldReady(conditions)], now);
}

/** The declared conditions of the hook; Unknown for those that it does not report. */
function hookConditions({ registration, replies, hookProblem }: StatusGiven): readonly Condition[] {
  const said = new Map(replies.flatMap(({ conditions }) => conditions.map((each) => [each.type, each])));
  return registration.hookConditions.map(
    (type) =>
      said.get(type) ?? {
        type,
        status: 'Unknown',
        reason: hookProblem?.reason ?? 'UNKNOWN',
        message: hookProblem?.message ?? '',
      },
  );
}

/** Types that a reply reports and the registration does not declare, without our own, which some hooks send back. */
export function undeclaredConditions(
  { hookConditions }: Registration,
  { conditions }: Pick<HookReply, 'conditions'>,
): readonly string[] {
  return conditions
    .map(({ type }) => type)
    .filter((type) => !hookConditions.includes(type) && !ownConditions.some((own) => own === type));
}

/** Lists the annotations of the hook, so that those which it does not report any more can be removed. */
const hookAnnotations = 'boathook.dev/hook-annotations';

/** Sets the annotations of the hook, keeps those of others, and removes those that the hook does not report any more. */
function withAnnotations(status: JsonObject, { replies, isWhole }: StatusGiven): JsonObject {
  const said = Object.assign({}, ...replies.map(({ annotations }) => annotations)) as JsonObject;
  const { [hookAnnotations]: mark, ...before } = objectAt(status, 'annotations') ?? {};
  const owned = keysIn(mark);
  if (Object.keys(said).length === 0 && owned.length === 0) return status;
  const kept = Object.entries(before).filter(([key]) => !isWhole || !owned.includes(key));
  const names = [...new Set([...(isWhole ? [] : owned), ...Object.keys(said)])].sort();
  const annotations = {
    ...Object.fromEntries(kept),
    ...said,
    ...(names.length === 0 ? {} : { [hookAnnotations]: JSON.stringify(names) }),
  };
  return Object.keys(annotations).length === 0 ? without(status, 'annotations') : { ...status, annotations };
}

function keysIn(mark: Json | undefined): readonly string[] {
  try {
    const keys = parseJson(typeof mark === 'string' ? mark : '[]');
    return isArray(keys) ? keys.filter((each) => typeof each === 'string') : [];
  } catch {
    // Written by another client: no annotation is known to be the hook's.
    return [];
  }
}

function withAddress(status: JsonObject, given: StatusGiven): JsonObject {
  const { registration, instance, live, environment } = given;
  const url = addressOfChildren(registration.form, live, environment);
  if (url !== undefined) return { ...status, address: { ...objectAt(status, 'address'), url } };
  const child = { name: childName(registration.name, nameOf(instance)), namespace: namespaceOf(instance) };
  const isStale = registration.form.type === 'deployment' && registration.form.service === undefined;
  const old = textAt(status, 'address', 'url') ?? '';
  return isStale && isOwnAddress(old, child, environment) ? without(status, 'address') : status;
}

/** Sets values of variables, and removes those whose variable does not exist any more. */
function withValues(status: JsonObject, { registration, values }: StatusGiven): JsonObject {
  return registration.statusValues.reduce((changed, { path, from }) => {
    const [, ...keys] = path.split('.');
    return withValue(changed, keys, values?.get(from));
  }, status);
}

function withValue(object: JsonObject, keys: readonly string[], value: string | undefined): JsonObject {
  const [key = '', ...rest] = keys;
  if (rest.length === 0) return value === undefined ? without(object, key) : { ...object, [key]: value };
  const inner = object[key];
  if (!isObject(inner) && value === undefined) return object;
  return { ...object, [key]: withValue(isObject(inner) ? inner : {}, rest, value) };
}
