import { formatAge } from '#base/age.ts';
import { harmlessText } from '#base/harmless-text.ts';
import { millis, parseTime } from '#base/time.ts';
import { wrapCommand } from '#base/wrap-command.ts';
import { wrapText } from '#base/wrap-text.ts';
import type {
  ComingEvent,
  Explanation,
  Remedy,
  WaitingReason,
} from '#releases/decide/explain/explanation.ts';
import { evidenceSentences } from './evidence-sentences.ts';
import type { ExplainedLine } from './explained-line.ts';

/** An explanation as lines that fit into so many columns. */
export function explanationLines(explanation: Explanation, columns: number): readonly string[] {
  const { why, next, remedies, warnings, time } = explanation;
  const sections: readonly (readonly [string, readonly ExplainedLine[]])[] = [
    [whyHeading(explanation), why.length === 0 ? [sentence(explanation.message)] : why.flatMap(reasonLines)],
    ['What happens next', next.map((each) => sentence(eventText(each, time)))],
    ['What you can do', remedies.flatMap(remedyLines)],
    ['Evidence', evidenceSentences(explanation.evidence)],
    ['Warnings', warnings.map((each) => sentence(each))],
  ];
  const head = headLines(explanation).flatMap((text) => wrapText(text, columns, { first: '', rest: '  ' }));
  const body = sections.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : ['', title, ...lines.flatMap((line) => wrapped(line, columns))],
  );
  return [...head, ...body];
}

const sentence = (text: string): ExplainedLine => ({ depth: 1, text });

function headLines({ workload, namespace, phase, reason, step, revisions }: Explanation): readonly string[] {
  const why = reason === phase || reason === '' ? '' : ` (${reason})`;
  const { update, stable } = revisions;
  const before = stable === undefined || stable === update ? '' : `, stable revision ${stable}`;
  return [
    `${workload} in namespace ${namespace}: ${phase === '' ? 'no status yet' : phase}${why}`,
    ...(step === undefined ? [] : [`Step ${step.number}/${step.count}: ${step.what}`]),
    `Revision ${update}${before}`,
  ];
}

function whyHeading({ phase }: Explanation): string {
  if (phase === 'Complete') return 'State';
  return phase === 'Progressing' ? 'What it waits for' : 'Why it does not move';
}

function reasonLines({ reason, messages, more = 0 }: WaitingReason, at: number): readonly ExplainedLine[] {
  const name = at === 0 ? '' : `${reason}: `;
  const left = more === 0 ? [] : [sentence(`${reason}: and ${more} more like this.`)];
  return [...messages.map((message) => sentence(`${name}${message}`)), ...left];
}

function eventText({ what, at }: ComingEvent, time: string): string {
  const [due, now] = [parseTime(at ?? ''), parseTime(time)];
  if (at === undefined || due === undefined || now === undefined) return what;
  return `In ${formatAge(millis(due - now))}, at ${at}: ${what}`;
}

const remedyLines = ({ what, command }: Remedy): readonly ExplainedLine[] => [
  sentence(command === undefined ? `${what}.` : `${what}:`),
  ...(command === undefined ? [] : [{ depth: 3, text: command, isCommand: true }]),
];

function wrapped({ depth, text, isCommand = false }: ExplainedLine, columns: number): readonly string[] {
  const indent = '  '.repeat(depth);
  const shown = harmlessText(text);
  if (isCommand) return wrapCommand(shown, columns, indent);
  const bullet = `${'  '.repeat(depth - 1)}- `;
  return wrapText(shown, columns, {
    first: depth === 1 ? bullet : indent,
    rest: depth === 1 ? indent : `${indent}  `,
  });
}
