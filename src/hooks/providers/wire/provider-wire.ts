import type { Static, TObject } from 'typebox';
import type { Frozen } from '#schema/kind/kind.ts';
import type { Finding } from './finding.ts';

/**
 * The type of `result` in conditions. `json` is any JSON value; `floatOrFloats` is a Prometheus query, which returns
 * a scalar or a vector.
 */
export type ResultType = 'string' | 'json' | 'float' | 'floats' | 'floatOrFloats';

/** A field of a provider that takes its value from a Secret. */
export type SecretUse = {
  readonly path: string;
  readonly key: { readonly name: string; readonly key: string };
};

/**
 * The declarative part of a provider: everything that the schema, the linter and the commands derive from. All paths
 * are relative to `provider.<name>`.
 */
export type ProviderWire<Schema extends TObject = TObject> = {
  readonly schema: Schema;
  /** The schema in a HookTemplate, if it is stricter than in a HookRun. */
  readonly templateSchema?: TObject;
  /** Fields that can contain `{{ args.NAME }}`: `url`, or `headers[].value` for a field of every list item. */
  readonly placeholders: readonly string[];
  lint(spec: Frozen<Static<Schema>>): readonly Finding[];
  resultType(spec: Frozen<Static<Schema>>): ResultType;
  /** Why successCondition and failureCondition have no effect, if they have none. */
  readonly ignoresConditions?: string;
  /** The field with the URL of the server, for `hook test --url-override`. */
  readonly address?: string;
  secrets?(spec: Frozen<Static<Schema>>): readonly SecretUse[];
  /** Whether `hook test` can call it: `fixture` means only with a recorded object. */
  readonly withoutCluster: 'always' | 'fixture' | 'never';
};

/** The fields of a provider in a metric. */
export type SpecOf<Wire extends ProviderWire> = Frozen<Static<Wire['schema']>>;

type PlaceholderPath<Spec> = (keyof Spec & string) | `${keyof Spec & string}[].${string}`;

/** Keeps the type of the schema, and checks that the named fields exist. */
export function defineProvider<const Schema extends TObject>(
  wire: ProviderWire<Schema> & {
    readonly placeholders: readonly PlaceholderPath<Static<Schema>>[];
    readonly address?: keyof Static<Schema> & string;
  },
): ProviderWire<Schema> {
  return wire;
}
