import { mostOutput, type OutputPart } from '#web/wire/stream.ts';

/** What a tab shows of the output of a script. */
export type OutputState = {
  readonly type: 'output';
  readonly version: string;
  readonly text: string;
  /** The bytes before the text. */
  readonly omitted: number;
  readonly isRunning: boolean;
};

/** The output after a part of it has come. Only the last characters are kept, from the beginning of a line on. */
export function outputAfter(
  before: { readonly type: string } | OutputState | undefined,
  version: string,
  { isWhole, omitted, text, isRunning }: OutputPart,
): OutputState {
  const known = !isWhole && before !== undefined && 'omitted' in before ? before : undefined;
  const all = (known?.text ?? '') + text;
  const kept = lastLines(all);
  const dropped = new TextEncoder().encode(all.slice(0, all.length - kept.length)).length;
  return { type: 'output', version, text: kept, omitted: (known?.omitted ?? omitted) + dropped, isRunning };
}

function lastLines(text: string): string {
  if (text.length <= mostOutput) return text;
  const kept = text.slice(-mostOutput);
  const feed = kept.indexOf('\n');
  return feed < 0 ? kept.toWellFormed() : kept.slice(feed + 1);
}
