import { Command } from 'commander';
import { expect, test } from 'vitest';
import { openLog } from './command-log.ts';
import { logOptions } from './log-options.ts';

test('info and text unless given', () => {
  const command = logOptions(new Command('x')).parse([], { from: 'user' });
  expect(command.opts()).toEqual({ logLevel: 'info', logFormat: 'text' });
  expect(openLog(command.opts()).level).toBe('info');
  expect(openLog({}).level).toBe('info');
});

test.for([
  [{ logLevel: 'loud' }, '--log-level loud does not exist: choose from debug, info, warn, error'],
  [{ logFormat: 'xml' }, '--log-format xml does not exist: choose from text, json'],
  [{ logLevel: '' }, '--log-level  does not exist'],
] as const)('%o is refused', ([given, message]) => {
  expect(() => openLog(given)).toThrow(message);
});
