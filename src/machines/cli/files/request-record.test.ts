import { expect, test } from 'vitest';
import { requestOf } from './options.ts';
import { recordedRequest, requestRecord } from './request-record.ts';

const usual = { filename: ['/c.yaml'], installer: 'none', parallel: '20', dataDir: '/data' };

test('the journal keeps empty values for what is absent', () => {
  expect(requestRecord(requestOf('deploy', usual, []))).toEqual({
    verb: 'deploy',
    files: ['/c.yaml'],
    nodes: [],
    hooks: [],
    hooksDir: '',
    folder: process.cwd(),
    dataDir: '/data',
    installer: 'none',
    commandsDir: '',
    parallel: 20,
    timeout: 0,
    retries: 10,
    force: false,
    agent: false,
    type: '',
    name: '',
    arch: '',
    port: 0,
    accepts: [],
    undoes: '',
    undoTouched: [],
    undoMade: [],
  });
});

const joined = { type: 'worker', name: 'w', arch: 'arm64', port: '2222' };
const shaped = { timeout: '5m', hooksDir: '/hooks', commandsDir: '/commands', force: true, retries: '0' };

test.for([
  ['as little as possible', requestOf('deploy', usual, [])],
  ['everything', requestOf('join', { ...usual, ...joined, ...shaped }, ['192.0.2.1'])],
  [
    'a rollback',
    { ...requestOf('cleanup', usual, []), undo: { operation: 'op-1', touched: ['a', 'b'], made: ['a'] } },
  ],
] as const)('what is read from the journal is what was written: %s', ([, request]) => {
  expect(recordedRequest(JSON.parse(JSON.stringify(requestRecord(request))))).toStrictEqual(request);
});

test('records of earlier versions have fewer fields', () => {
  const {
    retries: _,
    dataDir: __,
    accepts: ___,
    undoes: ____,
    ...earlier
  } = requestRecord(requestOf('deploy', usual, []));
  const { retries, dataDir, accepts, undo } = recordedRequest(earlier);
  expect([retries, dataDir, accepts, undo]).toEqual([undefined, undefined, [], undefined]);
});
