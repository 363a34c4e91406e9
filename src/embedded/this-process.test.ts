import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { thisProcess } from './this-process.ts';

const ended = spawnSync(process.execPath, ['-e', '']).pid;

test.for([
  ['the process that started us', `${hostname()}/${process.ppid}/1`, false],
  ['a process that has ended', `${hostname()}/${ended}/1`, true],
  ['an earlier process of our number', `${hostname()}/${process.pid}/1`, true],
  ['a process of another machine', `elsewhere.example/${ended}/1`, false],
  ['something unreadable', 'what', false],
] as const)('%s', ([, id, isGone]) => {
  expect(thisProcess().isGone(id)).toBe(isGone);
});

test('a process recognizes itself', () => {
  expect(thisProcess().id).toBe(thisProcess().id);
  expect(thisProcess().id).toMatch(new RegExp(`/${process.pid}/\\d+$`));
});
