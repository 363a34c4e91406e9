import { textAt } from '#base/json.ts';
import { isConditionTrue } from '#kube/conditions.ts';
import type { KubeObject } from '#kube/object.ts';
import type { RegistrationObject } from '#registrations/model/registration-object.ts';
import type { Registration } from '#registrations/model/registration.ts';
import { inspectCrd, type InstanceKind } from './inspect-crd.ts';
import { crdExists, isFalse, isUnknown, type ConditionValue } from './registration-status.ts';

/** What the controller decides from for one registration. */
export type RegistrationSnapshot = {
  readonly registration: RegistrationObject;
  /** The CustomResourceDefinition that it names. */
  readonly definition: KubeObject | undefined;
  /** The registration that serves the CustomResourceDefinition: this one or another. */
  readonly serving: RegistrationObject | undefined;
};

export type RegistrationDecision =
  /** Run a controller for the instances. */
  | { readonly type: 'serve'; readonly registration: Registration; readonly kind: InstanceKind }
  /** The registration is invalid: run no controller, and keep deleted instances until it is corrected. */
  | {
      readonly type: 'guard';
      readonly kind: InstanceKind;
      readonly why: string;
      readonly controller: ConditionValue;
    }
  /** Run nothing. */
  | { readonly type: 'stop'; readonly controller: ConditionValue };

/** What runs for a registration that is not being deleted. */
export function decideRegistration(snapshot: RegistrationSnapshot): RegistrationDecision {
  const { registration, definition, serving } = snapshot;
  const { spec, crd } = registration;
  if (spec.type === 'refused') return decideInvalid(snapshot, spec.errors);
  if (serving !== undefined && isOfAnother(snapshot))
    return stop(
      isFalse(
        'CRDTAKEN',
        `CRDRegistration ${serving.name} already serves ${crd}: a CRD has one registration`,
      ),
    );
  if (definition === undefined || crdCondition(snapshot).status !== 'True')
    return stop(isUnknown('UNKNOWN', `waiting for CustomResourceDefinition ${crd}`));
  const inspected = inspectCrd(definition);
  if (inspected.type === 'unusable') return stop(isFalse('CONTROLLERFAILED', inspected.message));
  return { type: 'serve', registration: spec.registration, kind: inspected.kind };
}

const stop = (controller: ConditionValue): RegistrationDecision => ({ type: 'stop', controller });

function decideInvalid(
  snapshot: RegistrationSnapshot,
  errors: readonly { readonly field: string; readonly message: string }[],
): RegistrationDecision {
  const why = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  const isOfHook = errors.every(({ field }) => field.startsWith('spec.hook'));
  const controller = isFalse(isOfHook ? 'HOOKINVALID' : 'REGISTRATIONINVALID', why);
  const inspected = snapshot.definition && inspectCrd(snapshot.definition);
  if (isOfAnother(snapshot) || inspected?.type !== 'usable') return stop(controller);
  return { type: 'guard', kind: inspected.kind, why, controller };
}

type Served = Pick<RegistrationSnapshot, 'definition' | 'serving'> & {
  readonly registration: Pick<RegistrationObject, 'uid'>;
};

const isOfAnother = ({ registration, serving }: Served): boolean =>
  serving !== undefined && serving.uid !== registration.uid;

/** From which instances the finalizer is removed when a registration ends. */
export type ReleaseDecision =
  | { readonly type: 'none' }
  | { readonly type: 'instances'; readonly kind: InstanceKind }
  | { readonly type: 'blocked'; readonly message: string };

/** The instances of a registration that never served its CRD belong to another registration. */
export function decideRelease(snapshot: Served): ReleaseDecision {
  const { definition } = snapshot;
  // Cluster-scoped instances never get our finalizer.
  if (definition === undefined || isOfAnother(snapshot) || textAt(definition, 'spec', 'scope') === 'Cluster')
    return { type: 'none' };
  const inspected = inspectCrd(definition);
  if (inspected.type === 'usable') return { type: 'instances', kind: inspected.kind };
  const message = `the finalizer cannot be removed from the instances: ${inspected.message}`;
  return { type: 'blocked', message };
}

/** The condition CRDExists. */
export function crdCondition({ registration, definition }: RegistrationSnapshot): ConditionValue {
  const { crd } = registration;
  if (definition === undefined) return isFalse('CRDERROR', `there is no CustomResourceDefinition ${crd}`);
  return isConditionTrue(definition, 'Established')
    ? crdExists
    : isUnknown('UNKNOWN', `CustomResourceDefinition ${crd} is not established yet`);
}
