import type { JsonObject } from '#base/json.ts';

/** One resource of one group version, as an OpenAPI document needs it. */
export type ResourceDescription = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Their names alone: `status`, `scale`, `eviction`. */
  readonly subresources: readonly string[];
  /** The `openAPIV3Schema` of a custom resource's version; undefined for built-in kinds. */
  readonly schema?: JsonObject | undefined;
  /** The custom resource keeps what its schema does not name, so the schema is not published. */
  readonly preserveUnknown?: boolean | undefined;
  /** The list's kind, when it is not the kind followed by `List`. */
  readonly listKind?: string | undefined;
};

export type GroupVersion = { readonly group: string; readonly version: string };

/** `v1`, `apps/v1`. */
const apiVersionOf = ({ group, version }: GroupVersion): string =>
  group === '' ? version : `${group}/${version}`;

/** The root of a group version's paths: `/api/v1`, `/apis/apps/v1`. */
export const rootPath = (groupVersion: GroupVersion): string =>
  groupVersion.group === '' ? `/api/${groupVersion.version}` : `/apis/${apiVersionOf(groupVersion)}`;

export const listKindOf = ({ kind, listKind }: ResourceDescription): string => listKind ?? `${kind}List`;
