import type { ScalePaths } from '#schema/crd/crd-resources.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Conversion } from '#embedded/kinds/builtin-kind.ts';
import type { KindRules } from '#embedded/kinds/rules/kind-rules.ts';
import type { Shape } from '#kube/shape.ts';
import type { Column } from '#embedded/kinds/columns/column.ts';
import type { JsonObject } from '#base/json.ts';

/** When a write raises metadata.generation. */
export type GenerationRule = KindRules['generation'] | 'all-but-metadata' | 'all-but-status';

/** One resource in one served version. */
export type ApiResource = {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  /** The store's name for the table that holds the objects: `group/plural`. */
  readonly storage: string;
  readonly rules: KindRules;
  readonly generation: GenerationRule;
  /** A built-in type of the table, or a custom resource with the settings of its definition. */
  readonly source: BuiltinSource | CustomSource;
  /** The type's structure, for merging and field ownership. */
  shape(): Shape;
  columns(): readonly Column[];
  /** Present when objects are stored in another form than this version's. */
  readonly conversion: Conversion | undefined;
};

export type BuiltinSource = { readonly type: 'builtin'; readonly typeName: string };

export type CustomSource = {
  readonly type: 'custom';
  readonly crd: string;
  readonly scale: ScalePaths | undefined;
  readonly deprecation: string | undefined;
  readonly schema: JsonObject | undefined;
  readonly preserveUnknown: boolean;
  /** Paths that pruning would drop, in the order of a real server's warnings. */
  readonly unknownFields: (object: KubeObject) => readonly string[];
};

/** Where definitions of custom resources are stored. */
export const crdStorage = 'apiextensions.k8s.io/customresourcedefinitions';

export const storageOf = (group: string, plural: string): string => `${group}/${plural}`;
export const apiVersionOf = (group: string, version: string): string =>
  group === '' ? version : `${group}/${version}`;
