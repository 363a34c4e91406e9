import { harmlessText } from '#base/harmless-text.ts';
import { tableLines } from '#base/text-table.ts';
import { countText } from '#base/text.ts';
import { clockText, spanText } from '#rehearse/span-text.ts';
import type { NoteSection } from '#rehearse/report-lines.ts';
import type { OperationReport, RehearsedMachine, RehearsedTask } from './operation-report.ts';

/** A report as text. */
export function operationLines(report: OperationReport): readonly string[] {
  const { tasks, rollback, machines } = report;
  return [
    operationTitle(report),
    operationSubtitle(report),
    ...section('', taskRows(tasks)),
    '',
    outcomeText(report),
    rollbackText(report),
    ...(rollback.type === 'Runs' ? taskRows(rollback.tasks) : []),
    ...(machines.length === 0 ? [] : ['Machines at the end:']),
    ...tableLines(machines.map(machineCells)).map((line) => `  ${line}`),
    ...operationNotes(report).flatMap(({ title, lines }) => [
      `${title}:`,
      ...lines.map((line) => `  - ${line}`),
    ]),
  ].map(harmlessText);
}

const section = (first: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [first, ...lines];

const taskRows = (tasks: readonly RehearsedTask[]): readonly string[] =>
  tableLines(
    tasks.map((task) => [clockText(task.startedAt).padStart(9), machineName(task.node), ...taskCells(task)]),
  );

/** The name of a machine; scripts on the computer of the user have none. */
export const machineName = (node: string): string => (node === '@local' ? '(here)' : node);

/** A task in words: what, how long, how it ended. */
export function taskCells({
  title,
  attempt,
  startedAt,
  endedAt,
  result,
  message,
}: RehearsedTask): readonly string[] {
  return [
    attempt === 1 ? title : `${title}, attempt ${attempt}`,
    endedAt === undefined ? 'does not end' : `takes ${spanText(endedAt - startedAt)}`,
    message === undefined ? result : `${result}: ${message}`,
  ];
}

export const operationTitle = (report: OperationReport): string => `Rehearsal of ${operationText(report)}`;

/** What is rehearsed, as the end of a title. */
export const operationText = ({ cluster, verb, machines, version }: OperationReport): string =>
  `${verb} of cluster ${cluster}${versionsText(machines, version)}`;

function versionsText(machines: readonly RehearsedMachine[], version: string | undefined): string {
  const known = machines.flatMap(({ versionBefore }) => versionBefore ?? []);
  const before = [...new Set(known)].filter((each) => each !== 'unknown');
  if (version === undefined) return '';
  return before.length === 0 || before.join() === version
    ? `: version ${version}`
    : `: version ${before.join(', ')} -> ${version}`;
}

export const operationSubtitle = (report: OperationReport): string =>
  `${operationSize(report)}, ${countText(report.tasks.length, 'task')}, seed ${report.seed}`;

export const operationSize = ({ machines, installer }: OperationReport): string =>
  `${countText(machines.length, 'machine')}, installer ${installer}`;

export function outcomeText({ outcome, seconds }: OperationReport): string {
  switch (outcome.type) {
    case 'Completes':
      return `The operation would complete after ${spanText(seconds)}.`;
    case 'CompletesPartly':
      return `The operation would end after ${spanText(seconds)} without ${outcome.failures.map(({ node }) => machineName(node)).join(', ')}: ${outcome.message}`;
    case 'Fails':
      return `The operation would fail after ${spanText(seconds)}: ${outcome.message}`;
    case 'WaitsForApproval':
      return `The operation would wait for an answer before it begins: ${outcome.message}`;
    case 'ReachesHorizon':
      return `The operation would not end within ${spanText(seconds)}: ${outcome.message}`;
  }
}

export function rollbackText({ rollback }: OperationReport): string {
  if (rollback.type === 'None') return rollback.message;
  const { verb, nodes, startedAt, seconds, isComplete, tasks } = rollback;
  const what = `It would be rolled back from ${clockText(startedAt)} on: ${verb} of ${nodes.map(machineName).join(', ')}`;
  if (tasks.length === 0) return `${what}; there is nothing to undo.`;
  return `${what}, ${isComplete ? `complete after ${spanText(seconds)}` : `not complete after ${spanText(seconds)}`}.`;
}

export const machineCells = (machine: RehearsedMachine): readonly string[] => [
  machine.node,
  machine.roles.join(','),
  versionText(machine),
  machine.planned === 0 ? '' : `${machine.done} of ${countText(machine.planned, 'step')}`,
  machine.state,
];

function versionText({ versionBefore, versionAfter }: RehearsedMachine): string {
  if (versionBefore === versionAfter) return versionAfter ?? '-';
  return `${versionBefore ?? 'none'} -> ${versionAfter ?? 'none'}`;
}

/** What a reader must know beside the timeline. */
export const operationNotes = ({ outcome, assumptions, warnings }: OperationReport): readonly NoteSection[] =>
  [
    { title: 'Where it stops', lines: stopLines(outcome) },
    { title: 'In a real operation you could', lines: outcome.type === 'Fails' ? outcome.remedies : [] },
    { title: 'Assumed', lines: assumptions },
    { title: 'Warnings', lines: warnings },
  ].filter(({ lines }) => lines.length > 0);

const stopLines = (outcome: OperationReport['outcome']): readonly string[] =>
  'failures' in outcome
    ? outcome.failures.map(({ node, step, message }) => `${machineName(node)} at ${step}: ${message}`)
    : [];
