import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import { replay } from '#machines/decide/progress.ts';
import { freshOperation, standingOf } from './standing.ts';

const begun = {
  id: 'x',
  type: 'cluster.create',
  observedGeneration: 3,
  failures: 4,
  retryAt: '2026-01-01T00:05:00.000000Z',
  steps: [
    { name: 'files/copy', done: ['a', 'b'] },
    {
      name: 'node-pre/PreInstall',
      done: ['a'],
      tasks: [{ node: 'b', state: 'Failed', attempt: 4, failures: 4 }],
    },
  ],
};
const states = (given: {
  generation: number;
  isEdited: boolean;
}): readonly (readonly [string, string, number])[] =>
  [...replay(standingOf(begun, given, instant(0)).records).tasks].map(([key, { state, failures }]) => [
    key,
    state,
    failures,
  ]);

test('an unchanged operation waits for its time, and continues from its progress', () => {
  const standing = standingOf(begun, { generation: 3, isEdited: false }, instant(0));
  expect(standing).toMatchObject({ isRetried: false, failures: 4 });
  expect(standing.retryAt).toBe(Date.parse('2026-01-01T00:05:00Z'));
  expect(states({ generation: 3, isEdited: false }).map(([key]) => key)).toContain('files/copy@a');
});

test.for([
  ['the spec', { generation: 4, isEdited: false }],
  ['a label', { generation: 3, isEdited: true }],
] as const)(
  'after a change of %s the files are sent again, what failed is tried now, what is done stays',
  ([, given]) => {
    expect(standingOf(begun, given, instant(0))).toMatchObject({
      isRetried: true,
      failures: 0,
      retryAt: undefined,
    });
    expect(states(given)).toEqual([
      ['node-pre/PreInstall@a', 'Succeeded', 0],
      ['node-pre/PreInstall@b', 'Waiting', 0],
    ]);
  },
);

test('an operation is named after its time and kind', () => {
  const wanted = { kind: 'node.join', nodes: ['a'], version: '2' } as const;
  expect(freshOperation(wanted, instant(0), 'abc')).toEqual({
    id: '19700101t000000z-node-join-abc',
    type: 'node.join',
    startedAt: '1970-01-01T00:00:00Z',
    version: '2',
    nodes: ['a'],
  });
});
