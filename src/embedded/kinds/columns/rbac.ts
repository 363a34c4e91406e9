import { at, listAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { ageColumn, nameColumn, textColumn, wideColumn, type Cell, type Column } from './column.ts';

/** Bindings of both scopes print alike. */
export const bindingColumns: readonly Column[] = [
  nameColumn,
  textColumn('Role', 'The role that is granted.', roleText),
  ageColumn,
  wideColumn('Users', 'The users it is granted to.', subjects('User')),
  wideColumn('Groups', 'The groups it is granted to.', subjects('Group')),
  wideColumn('ServiceAccounts', 'The service accounts it is granted to.', subjects('ServiceAccount')),
];

function roleText(binding: KubeObject): string {
  const role = at(binding, 'roleRef');
  return `${textAt(role, 'kind') ?? ''}/${textAt(role, 'name') ?? ''}`;
}

function subjects(kind: string): Cell {
  return (binding) =>
    listAt(binding, 'subjects')
      .filter((each) => textAt(each, 'kind') === kind)
      .map((each) => {
        const name = textAt(each, 'name') ?? '';
        return kind === 'ServiceAccount' ? `${textAt(each, 'namespace') ?? ''}/${name}` : name;
      })
      .join(', ');
}
