import { htmlNotes, htmlPage, htmlText, type Heading } from '#rehearse/html-page.ts';
import { legend } from '#rehearse/legend.ts';
import { clockText } from '#rehearse/span-text.ts';
import { operationChart } from './operation-chart.ts';
import {
  machineCells,
  machineName,
  operationNotes,
  operationSubtitle,
  operationTitle,
  outcomeText,
  rollbackText,
  taskCells,
} from './operation-lines.ts';
import type { OperationReport, RehearsedTask } from './operation-report.ts';

/** The page of a rehearsed operation. */
export const operationHtml = (report: OperationReport): string =>
  htmlPage(operationTitle(report), [
    `<section>
<h1>${htmlText(operationTitle(report))}</h1>
<p class="sub">${htmlText(operationSubtitle(report))}</p>
${operationBody(report)}
</section>`,
  ]);

const keys = legend([
  ['good', 'succeeded'],
  ['same', 'changed nothing, or was ended'],
  ['bad', 'failed'],
  ['undo', 'rollback'],
]);

const cells = (values: readonly string[]): string =>
  values.map((value) => `<td>${htmlText(value)}</td>`).join('');

export function operationBody(report: OperationReport, heading: Heading = 'h2'): string {
  const { tasks, rollback, machines, outcome, seed } = report;
  const place = { heading, seed };
  return `<p class="outcome ${outcome.type}">${htmlText(outcomeText(report))}</p>
<p>${htmlText(rollbackText(report))}</p>
<figure tabindex="0" aria-label="Steps of the machines over time">
${operationChart(report)}
<figcaption>${keys}</figcaption>
</figure>
${machinesTable(machines.map(machineCells), place)}
${tasksTable('Steps', tasks, place)}
${rollback.type === 'Runs' ? tasksTable('Rollback', rollback.tasks, place) : ''}
${operationNotes(report)
  .map(({ title, lines }) => htmlNotes(title, lines, heading))
  .join('\n')}`;
}

/** A table in the section of a seed. */
type Place = { readonly heading: Heading; readonly seed: number };

const machinesTable = (rows: readonly (readonly string[])[], { heading, seed }: Place): string =>
  rows.length === 0
    ? ''
    : `<${heading}>Machines at the end</${heading}>
<div class="wide" tabindex="0" role="region" aria-label="Machines at the end, seed ${seed}"><table><thead><tr><th>Machine</th><th>Roles</th><th>Version</th><th>Steps</th><th>State</th></tr></thead><tbody>
${rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')}
</tbody></table></div>`;

const tasksTable = (title: string, tasks: readonly RehearsedTask[], { heading, seed }: Place): string =>
  tasks.length === 0
    ? ''
    : `<${heading}>${title}</${heading}>
<div class="wide" tabindex="0" role="region" aria-label="${title}, seed ${seed}"><table><thead><tr><th>Time</th><th>Machine</th><th>Step</th><th>Duration</th><th>Result</th></tr></thead><tbody>
${tasks.map(taskRow).join('\n')}
</tbody></table></div>`;

function taskRow(task: RehearsedTask): string {
  const isGood = task.result === 'succeeded' || task.result === 'unchanged';
  const row = [clockText(task.startedAt), machineName(task.node), ...taskCells(task)];
  return `<tr class="${isGood ? 'good' : 'bad'}">${cells(row)}</tr>`;
}
