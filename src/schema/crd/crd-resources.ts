import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { isConditionTrue } from './conditions.ts';
import { compareKubeVersions } from '#kube/versions.ts';

/** Where a custom resource keeps what its scale subresource shows, as JSON paths such as `.spec.replicas`. */
export type ScalePaths = {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath: string | undefined;
};

type PrinterColumn = {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly jsonPath: string;
};

/** One served version of a custom resource. */
export type CustomResource = {
  readonly crd: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Objects are kept in this version, whichever they came in. */
  readonly storageVersion: string;
  readonly subresources: { readonly status: boolean; readonly scale: ScalePaths | undefined };
  readonly additionalPrinterColumns: readonly PrinterColumn[];
  /** JSON paths that field selectors may use, such as `.spec.color`. */
  readonly selectableFields: readonly string[];
  /** The version's openAPIV3Schema; undefined when it has none. */
  readonly schema: JsonObject | undefined;
  /** The schema of the storage version: what is stored is pruned to it. */
  readonly storageSchema: JsonObject | undefined;
  /** The warning of every response; undefined unless the version is deprecated. */
  readonly deprecationWarning: string | undefined;
  readonly preserveUnknownFields: boolean;
};

/** What a definition makes the server serve, in the order of discovery; nothing until its names are accepted. */
export function crdResources(crd: KubeObject): readonly CustomResource[] {
  if (!isConditionTrue(crd, 'NamesAccepted') && !isConditionTrue(crd, 'Established')) return [];
  const versions = listAt(crd, 'spec', 'versions').filter(isObject);
  const storage = versions.find((each) => each['storage'] === true) ?? {};
  return versions
    .filter((each) => each['served'] === true)
    .map((each) => resourceOf(crd, each, storage))
    .sort((left, right) => compareKubeVersions(left.version, right.version));
}

function resourceOf(crd: KubeObject, version: JsonObject, storage: JsonObject): CustomResource {
  const group = textAt(crd, 'spec', 'group') ?? '';
  const names = objectAt(crd, 'status', 'acceptedNames') ?? {};
  const name = textAt(version, 'name') ?? '';
  const kind = textAt(names, 'kind') ?? '';
  return {
    crd: nameOf(crd),
    group,
    version: name,
    kind,
    listKind: textAt(names, 'listKind') ?? '',
    plural: textAt(names, 'plural') ?? '',
    singular: textAt(names, 'singular') ?? '',
    shortNames: texts(listAt(names, 'shortNames')),
    categories: texts(listAt(names, 'categories')),
    namespaced: textAt(crd, 'spec', 'scope') !== 'Cluster',
    storageVersion: textAt(storage, 'name') ?? name,
    subresources: {
      status: objectAt(version, 'subresources', 'status') !== undefined,
      scale: scaleOf(objectAt(version, 'subresources', 'scale')),
    },
    additionalPrinterColumns: listAt(version, 'additionalPrinterColumns').filter(isObject).map(columnOf),
    selectableFields: texts(
      listAt(version, 'selectableFields').map((each) => textAt(each, 'jsonPath') ?? null),
    ),
    schema: objectAt(version, 'schema', 'openAPIV3Schema'),
    storageSchema: objectAt(storage, 'schema', 'openAPIV3Schema'),
    deprecationWarning: warningOf(version, `${group}/${name} ${kind}`),
    preserveUnknownFields: objectAt(crd, 'spec')?.['preserveUnknownFields'] === true,
  };
}

const texts = (values: readonly Json[]): readonly string[] =>
  values.filter((each) => typeof each === 'string');

function scaleOf(scale: JsonObject | undefined): ScalePaths | undefined {
  if (scale === undefined) return undefined;
  return {
    specReplicasPath: textAt(scale, 'specReplicasPath') ?? '',
    statusReplicasPath: textAt(scale, 'statusReplicasPath') ?? '',
    labelSelectorPath: textAt(scale, 'labelSelectorPath') || undefined,
  };
}

function columnOf(column: JsonObject): PrinterColumn {
  return {
    name: textAt(column, 'name') ?? '',
    type: textAt(column, 'type') ?? '',
    format: textAt(column, 'format') ?? '',
    description: textAt(column, 'description') ?? '',
    priority: typeof column['priority'] === 'number' ? column['priority'] : 0,
    jsonPath: textAt(column, 'jsonPath') ?? '',
  };
}

function warningOf(version: JsonObject, what: string): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  return textAt(version, 'deprecationWarning') ?? `${what} is deprecated`;
}
