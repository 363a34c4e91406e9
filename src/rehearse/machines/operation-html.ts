import { htmlNotes, htmlPage, htmlText } from '#rehearse/html-page.ts';
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

/** The page of rehearsed operations. */
export const operationHtml = (reports: readonly OperationReport[]): string =>
  htmlPage(reports[0] === undefined ? 'nothing' : operationTitle(reports[0]), reports.map(section));

const cells = (values: readonly string[]): string =>
  values.map((value) => `<td>${htmlText(value)}</td>`).join('');

function section(report: OperationReport): string {
  const { tasks, rollback, machines, outcome } = report;
  return `<section>
<h1>${htmlText(operationTitle(report))}</h1>
<p class="sub">${htmlText(operationSubtitle(report))}</p>
<p class="outcome ${outcome.type}">${htmlText(outcomeText(report))}</p>
<p>${htmlText(rollbackText(report))}</p>
<figure tabindex="0" aria-label="Steps of the machines over time">
${operationChart(report)}
<figcaption><span class="key good"></span>succeeded <span class="key same"></span>changed nothing, or was ended <span class="key bad"></span>failed <span class="key undo"></span>rollback</figcaption>
</figure>
${machinesTable(machines.map(machineCells))}
${tasksTable('Steps', tasks)}
${rollback.type === 'Runs' ? tasksTable('Rollback', rollback.tasks) : ''}
${operationNotes(report)
  .map(({ title, lines }) => htmlNotes(title, lines))
  .join('\n')}
</section>`;
}

const machinesTable = (rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<h2>Machines at the end</h2>
<div class="wide" tabindex="0" role="region" aria-label="Machines at the end"><table><thead><tr><th>Machine</th><th>Roles</th><th>Version</th><th>Steps</th><th>State</th></tr></thead><tbody>
${rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')}
</tbody></table></div>`;

const tasksTable = (title: string, tasks: readonly RehearsedTask[]): string =>
  tasks.length === 0
    ? ''
    : `<h2>${title}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th>Time</th><th>Machine</th><th>Step</th><th>Duration</th><th>Result</th></tr></thead><tbody>
${tasks.map(taskRow).join('\n')}
</tbody></table></div>`;

function taskRow(task: RehearsedTask): string {
  const isGood = task.result === 'succeeded' || task.result === 'unchanged';
  const row = [clockText(task.startedAt), machineName(task.node), ...taskCells(task)];
  return `<tr class="${isGood ? 'good' : 'bad'}">${cells(row)}</tr>`;
}
