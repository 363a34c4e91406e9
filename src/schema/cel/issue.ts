import { sizeOfText } from './text.ts';

/** One thing wrong with the text of an expression. */
export type Issue = { readonly at: number; readonly message: string };

const mostIssues = 100;

/** Issues as the server shows them: the line, and a caret under the place. */
export function formatIssues(source: string, issues: readonly Issue[]): string {
  const sorted = issues.toSorted((left, right) => left.at - right.at).slice(0, mostIssues);
  return sorted.map((each) => formatIssue(source, each)).join('\n');
}

function formatIssue(source: string, { at, message }: Issue): string {
  const before = source.slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  const column = sizeOfText(source.slice(start, at));
  const text = (source.slice(start).split('\n')[0] ?? '').replaceAll('\t', ' ');
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${'.'.repeat(column)}^`;
}
