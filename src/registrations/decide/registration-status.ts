import { listAt, numberAt, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { RegistrationObject } from '#registrations/model/registration-object.ts';
import { publicUrl, type Address } from './address.ts';
import type { Condition, ConditionStatus } from '#kube/conditions.ts';
import { foldReady, settleConditions } from './conditions.ts';
import type { InstanceEvent } from './cycle.ts';

export type ConditionValue = Pick<Condition, 'status' | 'reason' | 'message'>;

export const crdExists: ConditionValue = { status: 'True', reason: 'CRDEXIST', message: '' };
export const isFalse = (reason: string, message: string): ConditionValue => ({
  status: 'False',
  reason,
  message,
});
export const isUnknown = (reason: string, message: string): ConditionValue => ({
  status: 'Unknown',
  reason,
  message,
});

/** Whether the hook can be reached, by the calls of this process. */
export type HookHealth =
  { readonly type: 'unknown' | 'reached' } | { readonly type: 'unreachable'; readonly message: string };

/** The state of the controller of a registration's instances; failed while an informer cannot list or watch. */
export type ControllerState =
  { readonly type: 'starting' | 'running' } | { readonly type: 'failed'; readonly message: string };

export type RegistrationView = {
  readonly crd: ConditionValue;
  readonly controller: ConditionValue;
  /** Without credentials; undefined without a hook, or while its address is not resolved. */
  readonly hookUrl: string | undefined;
  /** Undefined without a hook, or while no controller runs. */
  readonly hook?: HookHealth | undefined;
};

export type ServedState = {
  readonly controller: ControllerState;
  /** Undefined without a hook. */
  readonly address: Address | undefined;
  readonly health: HookHealth | undefined;
};

/** The view of a registration whose controller was started. */
export function servedView(
  registration: RegistrationObject,
  crd: ConditionValue,
  state: ServedState,
): RegistrationView {
  const { address, health } = state;
  const hookUrl = address?.type === 'address' ? publicUrl(address.url) : undefined;
  return { crd, controller: controllerReady(registration, state), hookUrl, hook: health };
}

function controllerReady(
  { conditions }: RegistrationObject,
  { controller, address }: ServedState,
): ConditionValue {
  if (controller.type === 'failed') return isFalse('CONTROLLERFAILED', controller.message);
  if (address?.type === 'unresolved') return isFalse('HOOKFAILED', address.message);
  // A restart takes a moment: a registration that was ready stays ready, which saves two writes.
  return controller.type === 'running' || conditions.get('ControllerReady')?.status === 'True'
    ? { status: 'True', reason: 'CONTROLLERSTARTED', message: '' }
    : isUnknown('UNKNOWN', 'the controller is starting');
}

export function registrationStatus(
  registration: RegistrationObject,
  { crd, controller, hookUrl, hook }: RegistrationView,
  now: Instant,
): JsonObject {
  const { object } = registration;
  const conditions = [
    { type: 'CRDExists', ...crd },
    { type: 'ControllerReady', ...controller },
  ];
  return {
    observedGeneration: numberAt(object, 'metadata', 'generation') ?? 0,
    ...(hookUrl === undefined ? {} : { annotations: { hookURL: hookUrl } }),
    conditions: settleConditions(
      listAt(object, 'status', 'conditions'),
      // HookHealthy does not count for Ready: the instances keep running while the hook cannot be reached.
      [
        ...conditions,
        foldReady(conditions),
        ...(hook === undefined ? [] : [hookHealthy(registration, hook)]),
      ],
      now,
    ),
  };
}

/** The condition that an earlier process wrote stays until this process calls the hook. */
function hookHealthy({ conditions }: RegistrationObject, hook: HookHealth): Condition {
  const type = 'HookHealthy';
  const before = conditions.get(type);
  switch (hook.type) {
    case 'reached':
      return { type, status: 'True', reason: 'HOOKREACHED', message: '' };
    case 'unreachable':
      return { type, status: 'False', reason: 'HOOKUNREACHABLE', message: hook.message };
    case 'unknown':
      return {
        type,
        status: truthOf(before?.status),
        reason: before?.reason ?? 'HOOKNOTCALLED',
        message: before?.message ?? 'the hook was not called yet',
      };
  }
}

const truthOf = (text: string | undefined): ConditionStatus =>
  text === 'True' || text === 'False' ? text : 'Unknown';

/** The events for what changed since the last status. */
export function registrationEvents(
  { conditions }: RegistrationObject,
  { controller, hook }: RegistrationView,
): readonly InstanceEvent[] {
  const before = conditions.get('ControllerReady');
  const isNew = before?.reason !== controller.reason || before.message !== controller.message;
  const wasReached = conditions.get('HookHealthy')?.status !== 'False';
  return [
    ...(controller.status === 'False' && isNew ? [warning(controller.reason, controller.message)] : []),
    ...(hook?.type === 'unreachable' && wasReached ? [warning('HookUnreachable', hook.message)] : []),
  ];
}

const warning = (reason: string, message: string): InstanceEvent => ({ type: 'Warning', reason, message });
