import {
  assert,
  property,
  record,
  string,
  uint8Array,
  array,
  boolean,
  constantFrom,
  nat,
  option,
} from 'fast-check';
import { expect, test } from 'vitest';
import { agentProgram } from '#edge/ssh/agent-program.ts';
import { lookProgram, putProgram } from '#edge/ssh/deliver-program.ts';
import { remainsProgram } from '#edge/ssh/host-program.ts';
import { adoptProgram, askProgram, cancelProgram, launchProgram } from '#edge/ssh/launch-program.ts';
import { quote, quoteAll } from '#edge/ssh/quote.ts';
import { runnerProgram } from '#edge/ssh/runner-program.ts';
import { readAgentTask } from './read-launch.ts';
import { readRequest } from './read-request.ts';
import { readRunner, readVariables } from './read-runner.ts';

const sent = (program: string, ...args: readonly string[]): string =>
  `exec /bin/sh -c ${quote(`echo boathook-0a1b; echo boathook-0a1b >&2\n${program}`)} boathook ${quoteAll(args)}`;

const hex = 'ab'.repeat(32);

test.for([
  [
    sent(agentProgram, '/n', 'run', "me 'n you", '30', '/n/op', '/state', '/run/boathook', 'cls op'),
    {
      type: 'agent',
      folder: '/n',
      run: 'run',
      holder: "me 'n you",
      staleSeconds: 30,
      operationFolder: '/n/op',
      scope: 'cls op',
    },
  ],
  [sent(lookProgram, '/a b', '/c'), { type: 'look', paths: ['/a b', '/c'] }],
  [
    sent(putProgram, 'tag', '/a', '755', '3', hex),
    { type: 'put', files: [{ path: '/a', mode: 0o755, size: 3, digest: hex }] },
  ],
  [sent(adoptProgram, '/a', '/b'), { type: 'adopt', from: '/a', to: '/b' }],
  [sent(cancelProgram("/it's")), { type: 'cancel', folder: "/it's" }],
  [
    sent(remainsProgram, 'yes', '/n', '/c', '/s', '/run/boathook', '/etc/x'),
    { type: 'remains', purge: true, node: '/n', cluster: '/c', paths: ['/etc/x'] },
  ],
  [sent('exec cat "$1"', '/etc/x'), { type: 'script', text: 'exec cat "$1"', args: ['/etc/x'] }],
] as const)('a program of the operator is recognised: %#', ([command, request]) => {
  expect(readRequest(command)).toEqual({ greeting: 'boathook-0a1b\n', request });
});

test('what a user sends by hand is a script', () => {
  const request = { type: 'script', text: "ls '/opt'", args: [] };
  expect(readRequest("ls '/opt'")).toEqual({ greeting: '', request });
});

const path = string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0'));

test('any launch of a job is read as it was written', () => {
  const file = record({ path, content: uint8Array({ maxLength: 200 }), executable: boolean() });
  const copy = record({
    from: path,
    to: path,
    size: nat(),
    mode: constantFrom(0o644, 0o755),
    digest: constantFrom(hex),
  });
  const launch = record({
    folder: path,
    files: array(file, { minLength: 1, maxLength: 3 }),
    copyOf: option(path, { nil: undefined }),
    copies: array(copy, { maxLength: 3 }),
  });
  assert(
    property(launch, ({ folder, files, copyOf, copies }) => {
      const read = readAgentTask(launchProgram(folder, files, { copyOf, copies }));
      expect(read).toEqual({ type: 'launch', folder, files: files.map(plain), copyOf, copies });
    }),
  );
});

/** Arrays of bytes are compared as such, whatever their buffer. */
const plain = <File extends { readonly content: Uint8Array }>(file: File): File => ({
  ...file,
  content: Uint8Array.from(file.content),
});

test('a question after a job is read, and a program of another version is not', () => {
  expect(readAgentTask(askProgram('/a b'))).toEqual({ type: 'ask', folder: '/a b' });
  expect(readAgentTask(`${askProgram('/a')} `)).toEqual({ type: 'unknown' });
  expect(readAgentTask(launchProgram('/a', []).replace('setsid', 'nohup'))).toEqual({ type: 'unknown' });
});

test('the settings of any runner are read as they were written', () => {
  const settings = record({
    marker: path,
    words: array(path, { minLength: 1, maxLength: 4 }),
    cwd: option(constantFrom('/srv', '/a b'), { nil: undefined }),
    timeoutSeconds: option(nat(), { nil: undefined }),
    graceSeconds: nat(),
    outputLimit: nat(),
    tailLimit: nat(),
    counter: nat(),
    counterFile: path,
    link: option(path, { nil: undefined }),
  });
  assert(
    property(settings, (given) => {
      expect(readRunner(runnerProgram(given))).toEqual(given);
    }),
  );
  expect(readRunner('#!/bin/sh\necho something else\n')).toBeUndefined();
});

test('variables are read whatever is in them', () => {
  const text = `export A=${quote("it's\n$x")}\nexport B=''\nexport C=plain=1\n`;
  expect([...readVariables(text)]).toEqual([
    ['A', "it's\n$x"],
    ['B', ''],
    ['C', 'plain=1'],
  ]);
});
