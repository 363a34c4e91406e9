import type { ReactElement } from 'react';
import type { Json } from '#base/json.ts';
import type { TemplateFieldChange } from '#releases/decide/view/template-changes.ts';
import { Panel } from '#web/page/parts/panel.tsx';

/** What differs between the stable and the new revision. */
export function ChangePanel({
  changes,
}: {
  readonly changes: readonly TemplateFieldChange[];
}): ReactElement | null {
  if (changes.length === 0) return null;
  return (
    <Panel title="Difference between the revisions">
      <table className="changes">
        <caption className="unseen">
          Fields of the pod template that differ between the stable and the new revision
        </caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Stable</th>
            <th scope="col">New</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, from, to }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
              </th>
              <td data-label="Stable">
                {from === undefined ? <span className="hint">none</span> : <del>{shown(from)}</del>}
              </td>
              <td data-label="New">
                {to === undefined ? <span className="hint">none</span> : <ins>{shown(to)}</ins>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

const shown = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
