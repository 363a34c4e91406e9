import { ApiError } from '#kube/status.ts';
import type { FieldSet } from './field-set.ts';
import { identityOf, type ManagedEntry } from './managed-entry.ts';
import { pathsOf } from './paths-of.ts';

/** Fields that an apply would change and another manager owns. */
export type Conflict = { readonly with: ManagedEntry; readonly fields: FieldSet };

/** The refusal of an apply without force, naming every owner and field. */
export class ApplyConflict extends ApiError {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    const ordered = [...conflicts].sort((a, b) => (identityOf(a.with) < identityOf(b.with) ? -1 : 1));
    const lines = ordered.map((each) => ({ owner: printOwner(each.with), paths: pathsOf(each.fields) }));
    const causes = lines.flatMap(({ owner, paths }) =>
      paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
    );
    super({ code: 409, reason: 'Conflict', message: messageOf(lines, causes.length), details: { causes } });
    this.name = 'ApplyConflict';
    this.conflicts = ordered;
  }
}

type Lines = readonly { readonly owner: string; readonly paths: readonly string[] }[];

function messageOf(lines: Lines, count: number): string {
  const [only] = lines;
  if (count === 1 && only !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${only.owner}: ${only.paths.join('')}`;
  }
  const texts = lines.flatMap(({ owner, paths }) => [
    `conflicts with ${owner}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  return `Apply failed with ${count} conflicts: ${texts.join('\n')}`;
}

function printOwner(entry: ManagedEntry): string {
  const name = JSON.stringify(entry.manager);
  const where =
    entry.subresource === undefined ? name : `${name} with subresource ${JSON.stringify(entry.subresource)}`;
  return entry.operation === 'Update' ? `${where} using ${entry.apiVersion}` : where;
}
