import type { Command, Option } from 'commander';
import { leadingFlag } from '#command/leading-flags.ts';

/** What is known about the word that a person completes, from the words before it. */
export type Place = {
  readonly command: Command;
  /** The arguments before it that are no flags. */
  readonly args: readonly string[];
  /** The values of flags before it, by the name of the flag: `namespace`. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly wants: Wants;
};

export type Wants =
  | { readonly type: 'value'; readonly option: Option; readonly text: string; readonly before: string }
  | { readonly type: 'flag'; readonly text: string }
  | { readonly type: 'argument'; readonly text: string };

/** What the words up to one of them mean. */
type Reading = {
  readonly command: Command;
  readonly args: readonly string[];
  readonly flags: ReadonlyMap<string, readonly string[]>;
  /** The option whose value comes next. */
  readonly open: Option | undefined;
  /** True after `--`. */
  readonly isRest: boolean;
};

/** Reads the words of a command line; the last one is the one to complete. */
export function placeOf(program: Command, words: readonly string[]): Place {
  const start: Reading = { command: program, args: [], flags: new Map(), open: undefined, isRest: false };
  const { command, args, flags, open, isRest } = words.slice(0, -1).reduce(withWord, start);
  const text = words.at(-1) ?? '';
  const wants: Wants =
    open === undefined ? wantsOf(command, text, isRest) : { type: 'value', option: open, text, before: '' };
  return { command, args, flags, wants };
}

function withWord(reading: Reading, word: string): Reading {
  const { command, args, open, isRest } = reading;
  if (open !== undefined) return { ...withFlag(reading, open, word), open: undefined };
  if (isRest) return { ...reading, args: [...args, word] };
  if (word === '--') return { ...reading, isRest: true };
  if (word.startsWith('-')) {
    const { option, value } = flagOf(command, word);
    if (option === undefined) return reading;
    const isWhole = value !== undefined || !takesValue(option);
    return isWhole ? withFlag(reading, option, value ?? '') : { ...reading, open: option };
  }
  const next = args.length === 0 ? command.commands.find((each) => each.name() === word) : undefined;
  return next === undefined ? { ...reading, args: [...args, word] } : { ...reading, command: next };
}

function withFlag(reading: Reading, option: Option, value: string): Reading {
  const name = option.name();
  const flags = new Map(reading.flags).set(name, [...(reading.flags.get(name) ?? []), value]);
  return { ...reading, flags };
}

function wantsOf(command: Command, text: string, isRest: boolean): Wants {
  if (isRest || !text.startsWith('-')) return { type: 'argument', text };
  const { option, value } = text.includes('=') ? flagOf(command, text) : noFlag;
  if (option === undefined || value === undefined) return { type: 'flag', text };
  return { type: 'value', option, text: value, before: text.slice(0, text.length - value.length) };
}

type Flag = { readonly option: Option | undefined; readonly value: string | undefined };
const noFlag: Flag = { option: undefined, value: undefined };

/** The option that a word names: `-n`, `-ngames`, `--namespace`, `--namespace=games`. */
function flagOf(command: Command, word: string): Flag {
  const [name = '', ...more] = word.split('=');
  const value = more.length === 0 ? undefined : more.join('=');
  const option = optionNamed(command, name);
  if (option !== undefined || word.startsWith('--')) return { option, value };
  const short = optionNamed(command, word.slice(0, 2));
  return short !== undefined && takesValue(short) ? { option: short, value: word.slice(2) } : noFlag;
}

const optionNamed = (command: Command, name: string): Option | undefined =>
  command.options.find((each) => each.short === name || each.long === name) ??
  (command.commands.length > 0 ? leadingFlag(name) : undefined);

const takesValue = ({ required, optional }: Option): boolean => required || optional;
