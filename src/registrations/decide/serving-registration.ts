import type { RegistrationObject } from '#registrations/model/registration-object.ts';

/**
 * Of several registrations of one CRD the oldest serves it, also while it is being deleted. Creation timestamps have a
 * resolution of one second: of two with the same timestamp the one that serves the CRD already continues.
 */
export function servingRegistration(
  registrations: readonly RegistrationObject[],
  crd: string,
): RegistrationObject | undefined {
  return registrations.filter((each) => each.crd === crd).toSorted(byAge)[0];
}

const byAge = (left: RegistrationObject, right: RegistrationObject): number =>
  ageOf(left) < ageOf(right) ? -1 : 1;

const ageOf = (registration: RegistrationObject): string =>
  `${registration.createdAt} ${isServing(registration) ? 0 : 1} ${registration.name}`;

function isServing({ conditions }: RegistrationObject): boolean {
  const reason = conditions.get('ControllerReady')?.reason;
  return reason !== undefined && reason !== 'CRDTAKEN';
}
