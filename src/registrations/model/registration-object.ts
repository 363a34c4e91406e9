import type { FieldError } from '#kube/field-error.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Registration } from './registration.ts';

/** The spec of a CRDRegistration, decoded, or what is wrong with it. */
export type ReadRegistration =
  | {
      readonly type: 'registration';
      readonly registration: Registration;
      readonly warnings: readonly string[];
    }
  | { readonly type: 'refused'; readonly errors: readonly FieldError[] };

/** A condition in the status of a registration, as it was last written. */
export type WrittenCondition = {
  readonly status: string | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
};

/** A CRDRegistration object, decoded once for each of its versions. */
export type RegistrationObject = {
  /** As the server sent it, for writes. */
  readonly object: KubeObject;
  readonly name: string;
  readonly uid: string;
  readonly createdAt: string;
  readonly isDeleting: boolean;
  /** The name of the CustomResourceDefinition; empty when the spec gives none. */
  readonly crd: string;
  readonly conditions: ReadonlyMap<string, WrittenCondition>;
  readonly spec: ReadRegistration;
};
