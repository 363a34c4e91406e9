import type { KubeObject } from '#kube/object.ts';
import type { RegistrationSnapshot } from '#registrations/decide/decide-registration.ts';
import { servingRegistration } from '#registrations/decide/serving-registration.ts';
import type { RegistrationObject } from '#registrations/model/registration-object.ts';
import { registrationObject } from '#registrations/read.ts';

/** The objects that decide about registrations: informers in the controller, lists in a command. */
export type RegistrationReader = {
  readonly registrations: { list(): readonly KubeObject[] };
  readonly definitions: { get(namespace: string, name: string): KubeObject | undefined };
};

/** What the controller decides from for one registration. Reads only. */
export function registrationSnapshot(
  reader: RegistrationReader,
  registration: RegistrationObject,
): RegistrationSnapshot {
  return { registration, ...crdSnapshot(reader, registration.crd) };
}

/** The CustomResourceDefinition and the registration that serves it. */
export const crdSnapshot = (
  { registrations, definitions }: RegistrationReader,
  crd: string,
): Pick<RegistrationSnapshot, 'definition' | 'serving'> => ({
  definition: definitions.get('', crd),
  serving: servingRegistration(registrations.list().map(registrationObject), crd),
});
