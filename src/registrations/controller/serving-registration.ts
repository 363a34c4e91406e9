import { listAt, textAt } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

/**
 * Of several registrations of one definition the oldest serves it, also while it is on its way out (D-06, DEC-12).
 * Ages are told in seconds: of those that look equally old, who serves it already goes on.
 */
export function servingRegistration(
  registrations: readonly KubeObject[],
  crd: string,
): KubeObject | undefined {
  return registrations.filter((each) => textAt(each, 'spec', 'crd') === crd).toSorted(byAge)[0];
}

const byAge = (left: KubeObject, right: KubeObject): number => (ageOf(left) < ageOf(right) ? -1 : 1);
const ageOf = (object: KubeObject): string =>
  `${textAt(object, 'metadata', 'creationTimestamp') ?? ''} ${isServing(object) ? 0 : 1} ${nameOf(object)}`;

const isServing = (object: KubeObject): boolean => {
  const reason = textAt(
    listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === 'ControllerReady'),
    'reason',
  );
  return reason !== undefined && reason !== 'CRDTAKEN';
};
