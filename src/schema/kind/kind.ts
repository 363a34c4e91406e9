import type { Static, TObject, TSchema } from 'typebox';
import type { JsonObject } from '#base/json.ts';

/** A column of `kubectl get`. */
export type PrinterColumn = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  /** True: shown with `-o wide` only. */
  readonly wide?: boolean;
};

/** Where `kubectl scale` finds its numbers. */
export type ScaleSubresource = {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
};

/**
 * One kind as a single value. The CRD, the reference page, validation and the
 * TypeScript type of its objects are all derived from this one value.
 */
export type Kind<Schema extends TSchema = TSchema> = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly description: string;
  /** The fields beside apiVersion, kind and metadata. */
  readonly schema: Schema;
  readonly columns: readonly PrinterColumn[];
  /** True: `status` is written through its own subresource, and `spec` changes raise the generation. */
  readonly hasStatus: boolean;
  readonly scale?: ScaleSubresource;
};

/** Says what a kind is, and keeps its schema's own type for `ObjectOf`. */
export function defineKind<const Schema extends TObject>(kind: Kind<Schema>): Kind<Schema> {
  return kind;
}

/** An object of a kind as it comes from the API server. */
export type ObjectOf<K extends Kind> = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
} & Frozen<Static<K['schema']>>;

/** Read-only all the way down. */
export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

export const apiVersionOfKind = ({ group, version }: Kind): string => `${group}/${version}`;
