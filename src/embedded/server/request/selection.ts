import { demanded, matchesFields, parseFieldSelector, type FieldSelector } from '#kube/field-selector.ts';
import {
  matchesLabels,
  parseLabelSelector,
  SelectorError,
  type LabelSelector,
} from '#kube/label-selector.ts';
import { badRequest } from '#kube/status.ts';
import type { Call } from './call.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import type { Stored } from '#embedded/server/store/stored.ts';

/** Which objects of a resource a request is about. */
export type ObjectSelection = {
  readonly namespace: string | undefined;
  /** The one name that can match, when the selectors demand it. */
  readonly name: string | undefined;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  matches(stored: Stored): boolean;
};

/** Reads namespace, name and selectors of a list, watch or deletecollection. */
export function selectionOf(call: Call): ObjectSelection {
  const { resource, query } = call;
  const labels = parsed(() => parseLabelSelector(query.get('labelSelector') ?? ''));
  const fields = parsed(() => parseFieldSelector(query.get('fieldSelector') ?? ''));
  for (const { field } of fields) checkField(resource, field);
  const namespace =
    call.target.namespace ?? (resource.namespaced ? demanded(fields, 'metadata.namespace') : undefined);
  const name = call.target.name ?? demanded(fields, 'metadata.name');
  const matches = (stored: Stored): boolean =>
    (namespace === undefined || stored.namespace === namespace) &&
    (name === undefined || stored.name === name) &&
    (labels.length === 0 || matchesLabels(labels, stored.labels)) &&
    (fields.length === 0 || matchesFields(fields, (field) => fieldValue(resource, field, stored)));
  return { namespace, name, labels, fields, matches };
}

export const isWhole = (selection: ObjectSelection): boolean =>
  selection.name === undefined && selection.labels.length === 0 && selection.fields.length === 0;

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

function checkField(resource: ApiResource, field: string): void {
  if (field === 'metadata.name' || (field === 'metadata.namespace' && resource.namespaced)) return;
  const known = resource.rules.selectableFields;
  if (Object.hasOwn(known, field)) return;
  if (Object.keys(known).length > 0 || resource.source.type === 'custom') {
    throw badRequest(`field label not supported: ${field}`);
  }
  if (field === 'metadata.namespace') return;
  throw badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

function fieldValue(resource: ApiResource, field: string, stored: Stored): string {
  if (field === 'metadata.name') return stored.name;
  if (field === 'metadata.namespace') return stored.namespace;
  return resource.rules.selectableFields[field]?.(stored.object) ?? '';
}
