import { resolve } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addFilename } from './filename-option.ts';
import { flagsOf } from './flags.ts';

test('an option that is not given, or empty, is absent', () => {
  const flags = flagsOf({ empty: '', name: 'a', on: true, list: ['a', 'b'] });
  expect(['name', 'empty', 'missing', 'on'].map((name) => flags.text(name))).toEqual(['a', ...none(3)]);
  expect(['name', 'empty', 'missing'].map((name) => flags.path(name))).toEqual([resolve('a'), ...none(2)]);
  expect(['list', 'missing'].map((name) => flags.texts(name))).toEqual([['a', 'b'], []]);
  expect(['on', 'name', 'missing'].map((name) => flags.isOn(name))).toEqual([true, false, false]);
});

const none = (count: number): readonly undefined[] => Array.from({ length: count }, () => undefined);

function parsed(isRequired: boolean, ...args: readonly string[]): unknown {
  const command = addFilename(new Command('tide'), 'a file', { isRequired }).exitOverride();
  command.configureOutput({ writeErr: () => undefined });
  return command.parse(args, { from: 'user' }).opts();
}

test.for([[['-f', 'a', '-f', 'b']], [['--filename', 'a', '--file', 'b']], [['--file', 'a', '--file=b']]])(
  'files are named by %s',
  ([args = []]) => {
    expect(parsed(true, ...args)).toEqual({ filename: ['a', 'b'] });
  },
);

test('a required file that is missing ends the command, and help shows one spelling', () => {
  expect(() => parsed(true)).toThrow("required option '-f, --filename <path>' not specified");
  expect(parsed(false)).toEqual({});
  const help = addFilename(new Command('tide'), 'a file', { isRequired: true }).helpInformation();
  expect(help).toContain('-f, --filename <path>');
  expect(help).not.toContain('--file ');
});
