import type { KubeObject } from '#kube/object.ts';
import { typeNameOf } from '#schema/types/builtin-types.ts';
import type { Column } from './columns/column.ts';
import { defaultColumns } from './columns/default-columns.ts';
import { kindRules, type KindRules } from './rules/kind-rules.ts';

/** A built-in kind in one version: its resource, its type, its rules and its columns. */
export type BuiltinKind = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
  /** Full name in the table of types, such as `io.k8s.api.core.v1.Pod`. */
  readonly typeName: string;
  readonly rules: KindRules;
  readonly columns: readonly Column[];
  /** Present when objects are stored in another group and version. */
  readonly stored: StoredVersion | undefined;
  /** False for a kind that has rules or columns, but no endpoint yet. */
  readonly served: boolean;
};

export type StoredVersion = {
  readonly group: string;
  readonly version: string;
  readonly conversion: Conversion;
};

/** Converts objects between the form of a version and the form in which they are stored. */
export type Conversion = {
  toStored(object: KubeObject): KubeObject;
  fromStored(object: KubeObject): KubeObject;
};

export type KindParts = {
  readonly rules?: KindRules;
  readonly columns?: readonly Column[];
  readonly stored?: StoredVersion;
  readonly served?: false;
};

/** plural Kind ns|cluster [short=a,b] [cat=a,b] [verbs=a,b] [sub=a,b]. Without `verbs`: all eight. */
export type KindRow = readonly [resource: string, parts?: KindParts];

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const ordinaryRules = kindRules({});

/** The kinds of one group and version, from one row each. */
export function kindsOf(group: string, version: string, rows: readonly KindRow[]): readonly BuiltinKind[] {
  return rows.map(([resource, parts = {}]) => builtinKind({ group, version }, resource, parts));
}

function builtinKind(
  { group, version }: { group: string; version: string },
  resource: string,
  parts: KindParts,
): BuiltinKind {
  const [plural = '', kind = '', scope = '', ...options] = resource.split(' ');
  const list = (name: string): readonly string[] | undefined =>
    options
      .find((each) => each.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .split(',');
  const typeName = typeNameOf(group, version, kind);
  if (typeName === undefined) throw new Error(`the table of types lacks ${group}/${version} ${kind}`);
  return {
    group,
    version,
    plural,
    kind,
    singular: kind.toLowerCase(),
    namespaced: scope === 'ns',
    verbs: list('verbs') ?? allVerbs,
    shortNames: list('short') ?? [],
    categories: list('cat') ?? [],
    subresources: list('sub') ?? [],
    typeName,
    rules: parts.rules ?? ordinaryRules,
    columns: parts.columns ?? defaultColumns,
    stored: parts.stored,
    served: parts.served ?? true,
  };
}
