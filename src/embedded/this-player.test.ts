import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { thisPlayer } from './this-player.ts';

const ended = spawnSync(process.execPath, ['-e', '']).pid;

test.for([
  ['the process that started us', `${hostname()}/${process.ppid}/1`, false],
  ['a process that has ended', `${hostname()}/${ended}/1`, true],
  ['an earlier process of our number', `${hostname()}/${process.pid}/1`, true],
  ['a process of another machine', `elsewhere.example/${ended}/1`, false],
  ['something unreadable', 'what', false],
] as const)('%s', ([, id, isGone]) => {
  expect(thisPlayer().isGone(id)).toBe(isGone);
});

test('a process knows itself', () => {
  expect(thisPlayer().id).toBe(thisPlayer().id);
  expect(thisPlayer().id).toMatch(new RegExp(`/${process.pid}/\\d+$`));
});
