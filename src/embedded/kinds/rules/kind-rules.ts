import type { KubeObject } from '#kube/object.ts';
import type { NameRule } from '#kube/metadata/metadata.ts';
import type { FieldError } from '#kube/field-error.ts';

export type FieldValue = (object: KubeObject) => string;

/**
 * The rules of one kind. Every function is pure and returns the object it was given
 * when nothing changes. The order of a create: canonical form, `defaults`, server-set metadata (uid,
 * creationTimestamp, namespace), `prepareCreate`, admission, validation. Canonical form comes first because only
 * it distinguishes a zero that means "not set" from a zero that was set.
 */
export type KindRules = {
  /** Fills defaults and brings the object to the form in which a server writes it. */
  readonly defaults?: (object: KubeObject) => KubeObject;
  /** What a create sets or clears; metadata.uid and creationTimestamp are there already. */
  readonly prepareCreate?: (object: KubeObject) => KubeObject;
  /** What an update keeps from the old object: status, and what is silently immutable. */
  readonly prepareUpdate?: (object: KubeObject, old: KubeObject) => KubeObject;
  /** What a /status update keeps: all but the status, and labels and annotations where the kind allows it. */
  readonly prepareStatusUpdate?: (object: KubeObject, old: KubeObject) => KubeObject;
  readonly validateCreate?: (object: KubeObject) => readonly FieldError[];
  readonly validateUpdate?: (object: KubeObject, old: KubeObject) => readonly FieldError[];
  readonly validateStatusUpdate?: (object: KubeObject, old: KubeObject) => readonly FieldError[];
  /** When metadata.generation grows; `fixed` stays 1, `none` keeps what the client sent at creation. */
  readonly generation: 'none' | 'fixed' | 'spec' | 'spec-and-annotations' | 'content' | 'content-and-labels';
  readonly nameRule: NameRule;
  /** An update without resourceVersion is accepted. */
  readonly allowUnconditionalUpdate: boolean;
  /** An update of a missing object creates it. */
  readonly allowCreateOnUpdate: boolean;
  /** There is a /status subresource. */
  readonly hasStatus: boolean;
  /**
   * Which metadata checks the kind's own update validation repeats after the common ones. The server lists
   * a cause once per check, so this decides how often a cause appears.
   */
  readonly metaOnUpdate: 'none' | 'update' | 'create-and-update';
  /** Finalizers must be qualified by a domain; custom resources are let off. */
  readonly strictFinalizers: boolean;
  /** Field label to value for field selectors, beyond metadata.name and metadata.namespace. */
  readonly selectableFields: Readonly<Record<string, FieldValue>>;
  /** Texts for `Warning` headers of a create or update. */
  readonly warnings?: (object: KubeObject) => readonly string[];
};

const ordinary: KindRules = {
  generation: 'none',
  nameRule: 'subdomain',
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: false,
  hasStatus: false,
  metaOnUpdate: 'update',
  strictFinalizers: true,
  selectableFields: {},
};

/** A kind's rules from what differs from the ordinary. */
export function kindRules(parts: Partial<KindRules>): KindRules {
  return { ...ordinary, ...parts };
}
