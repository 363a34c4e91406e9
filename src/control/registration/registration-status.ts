import { listAt, numberAt, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { foldReady, settleConditions, type Condition } from '#decide/registration/conditions.ts';
import type { KubeObject } from '#kube/object.ts';

export type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

export type RegistrationView = {
  readonly crd: Verdict;
  readonly controller: Verdict;
  /** Without what may be secret; undefined without a hook, or when nobody knows. */
  readonly hookUrl: string | undefined;
};

export const crdExists: Verdict = { status: 'True', reason: 'CRDEXIST', message: '' };
export const started: Verdict = { status: 'True', reason: 'CONTROLLERSTARTED', message: '' };
export const no = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });
export const unknown = (reason: string, message: string): Verdict => ({ status: 'Unknown', reason, message });

/** The status of a registration (§1.11). */
export function registrationStatus(
  registration: KubeObject,
  { crd, controller, hookUrl }: RegistrationView,
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
    conditions: settleConditions(before, [...conditions, foldReady(conditions)], now),
  };
}
