import type { Json } from '#base/json.ts';
import { printJson as jsonText } from '#base/json-text.ts';
import { asCalled } from './called-as.ts';
import { ExitError } from './exit.ts';

export type OutputFlags = { readonly output?: string };

export function wantsJson({ output }: OutputFlags): boolean {
  if (output === undefined || output === 'json') return output === 'json';
  throw new ExitError(2, `-o ${output} is not known: use json`);
}

export const printJson = (value: Json): void => void process.stdout.write(`${jsonText(value, 2)}\n`);
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
/** Prints to stderr what is not the output of a command. */
export const printAside = (line: string): void => void process.stderr.write(`${asCalled(line)}\n`);
