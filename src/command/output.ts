import type { Json, JsonObject } from '#base/json.ts';
import { parseJson, printJson as jsonText } from '#base/json-text.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { asCalled } from './called-as.ts';
import { ExitError } from './exit.ts';
import { printLine, type OutputFlags } from './print.ts';
import { terminalWidth } from './terminal-width.ts';

/** What `-o` can choose beside text. `name`: one `resource.group/name` per line. `wide`: text with more columns. */
export type OutputFormat = 'json' | 'yaml' | 'name' | 'wide';

/** The format of `-o`: `text` unless given. Ends the command when the verb does not have it. */
export function outputFormat<Format extends OutputFormat>(
  { output }: OutputFlags,
  known: readonly Format[],
): Format | 'text' {
  if (output === undefined) return 'text';
  const found = known.find((each) => each === output);
  if (found !== undefined) return found;
  throw new ExitError(2, `-o ${output} is not known: use ${listOf(known)}`);
}

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

/** The result of a command in each form. Only the chosen one is made. */
export type CommandOutput = {
  readonly value: () => object;
  readonly names?: () => readonly string[];
  /** Text; `isWide` for `-o wide`. */
  readonly lines: (isWide: boolean) => readonly string[];
};

export function printOutput(format: OutputFormat | 'text', output: CommandOutput): void {
  const lines = outputLines(format, output);
  // One write: thousands of small ones to a pipe would wait in memory.
  if (lines.length > 0) printLine(lines.join('\n'));
}

/** The lines that `printOutput` prints. */
export function outputLines(format: OutputFormat | 'text', output: CommandOutput): readonly string[] {
  switch (format) {
    case 'json':
      return [printable(jsonText(jsonOf(output.value()), 2))];
    case 'yaml':
      return [yamlText(output.value())];
    case 'name':
      return output.names?.() ?? [];
    case 'wide':
    case 'text':
      return textLines(format, output);
  }
}

/** One of many results of a command that follows something. */
export type StreamedOutput = CommandOutput & { readonly isFirst: boolean };

/** The lines of one result in a stream: JSON on one line, YAML as a document of its own, the names only once. */
export function streamedLines(format: OutputFormat | 'text', output: StreamedOutput): readonly string[] {
  switch (format) {
    case 'json':
      return [printable(jsonText(jsonOf(output.value())))];
    case 'yaml':
      return ['---', yamlText(output.value())];
    case 'name':
      return output.isFirst ? (output.names?.() ?? []) : [];
    case 'wide':
    case 'text':
      return textLines(format, output);
  }
}

/** A line that fits the terminal stays as it is when the longer name of a plugin would not fit. */
function textLines(format: 'wide' | 'text', output: CommandOutput): readonly string[] {
  const width = terminalWidth() ?? Infinity;
  return output.lines(format === 'wide').map((line) => {
    const renamed = asCalled(line);
    return line.length <= width && renamed.length > width ? line : renamed;
  });
}

const yamlText = (value: object): string => printable(printYaml(jsonOf(value))).trimEnd();

/** `gamedeployment.tkex.tencent.com/shop`, as `kubectl -o name` prints it. */
export const objectName = (kind: string, group: string, name: string): string =>
  `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`;

/** The value as JSON: members without a value are left out. */
function jsonOf(value: object): JsonObject | readonly Json[] {
  return parseJson(jsonText(value as JsonObject)) as JsonObject | readonly Json[];
}

/** Control characters that JSON allows in a text as they are. Both JSON and YAML have them in quotes only. */
const rawControls = /[\u007F-\u009F]/g;

const printable = (text: string): string =>
  text.replaceAll(rawControls, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
