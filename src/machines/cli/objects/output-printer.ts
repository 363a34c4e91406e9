import { harmlessText } from '#base/harmless-text.ts';
import { printJson } from '#base/json-text.ts';
import { ExitError } from '#command/exit.ts';
import type { ListedOutput } from '#machines/cli/outputs/output-client.ts';

type Printed = Omit<ListedOutput, 'isRunning'>;

/** Prints outputs of scripts: with a heading each, or every line as JSON. */
export type OutputPrinter = {
  whole(output: Printed, text: string): void;
  /** Whole lines, as they come from several scripts in turn. */
  lines(output: Printed, lines: readonly string[]): void;
};

export function outputPrinter(format: string | undefined): OutputPrinter {
  if (format === 'json') return jsonPrinter;
  if (format !== undefined) throw new ExitError(2, `-o takes json, not ${format}`);
  let last = '';
  const head = (output: Printed): void => {
    const title = titleOf(output);
    if (title !== last) write(`==> ${title}\n`);
    last = title;
  };
  return {
    whole(output, text) {
      head(output);
      write(text === '' || text.endsWith('\n') ? harmlessText(text) : `${harmlessText(text)}\n`);
    },
    lines(output, lines) {
      head(output);
      write(lines.map((line) => `${harmlessText(line)}\n`).join(''));
    },
  };
}

const titleOf = ({ node, step, attempt }: Printed): string => `${node} ${step} attempt ${attempt}`;

const jsonPrinter: OutputPrinter = {
  whole: (output, text) => jsonPrinter.lines(output, linesOf(text)),
  lines({ operation, node, step, attempt }, lines) {
    const about = { type: 'output', operation, node, step, attempt };
    write(lines.map((line) => `${printJson({ ...about, line })}\n`).join(''));
  },
};

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const write = (text: string): void => void process.stdout.write(text);
