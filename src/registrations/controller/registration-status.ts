import { listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import {
  foldReady,
  settleConditions,
  type InstanceCondition,
  type Truth,
} from '#registrations/decide/conditions.ts';
import type { KubeObject } from '#kube/object.ts';
import type { HookHealth } from './hook-client.ts';

export type ConditionValue = Pick<InstanceCondition, 'status' | 'reason' | 'message'>;

export type RegistrationView = {
  readonly crd: ConditionValue;
  readonly controller: ConditionValue;
  /** Without what may be secret; undefined without a hook, or when nobody knows. */
  readonly hookUrl: string | undefined;
  /** Undefined without a hook, or when nobody asks it. */
  readonly hook?: HookHealth | undefined;
};

export const crdExists: ConditionValue = { status: 'True', reason: 'CRDEXIST', message: '' };
export const started: ConditionValue = { status: 'True', reason: 'CONTROLLERSTARTED', message: '' };
export const no = (reason: string, message: string): ConditionValue => ({ status: 'False', reason, message });
export const unknown = (reason: string, message: string): ConditionValue => ({
  status: 'Unknown',
  reason,
  message,
});

/** The status of a registration (§1.11). */
export function registrationStatus(
  registration: KubeObject,
  { crd, controller, hookUrl, hook }: RegistrationView,
  now: Instant,
): JsonObject {
  const conditions = [
    { type: 'CRDExists', ...crd },
    { type: 'ControllerReady', ...controller },
  ];
  const before = listAt(registration, 'status', 'conditions');
  return {
    observedGeneration: numberAt(registration, 'metadata', 'generation') ?? 0,
    ...(hookUrl === undefined ? {} : { annotations: { hookURL: hookUrl } }),
    conditions: settleConditions(
      before,
      // A hook that cannot be reached for a while does not make the registration another: Ready leaves it out.
      [...conditions, foldReady(conditions), ...(hook === undefined ? [] : [hookHealthy(hook, before)])],
      now,
    ),
  };
}

/** The condition of the hook. What an earlier process wrote stays until this one has called. */
function hookHealthy(hook: HookHealth, before: readonly Json[]): InstanceCondition {
  const type = 'HookHealthy';
  const old = before.find((each) => textAt(each, 'type') === type);
  switch (hook.type) {
    case 'reached':
      return { type, status: 'True', reason: 'HOOKREACHED', message: '' };
    case 'unreachable':
      return { type, status: 'False', reason: 'HOOKUNREACHABLE', message: hook.message };
    case 'unknown':
      return {
        type,
        status: truthOf(textAt(old, 'status')),
        reason: textAt(old, 'reason') ?? 'HOOKNOTCALLED',
        message: textAt(old, 'message') ?? 'no instance needed the hook so far',
      };
  }
}

const truthOf = (text: string | undefined): Truth => (text === 'True' || text === 'False' ? text : 'Unknown');
