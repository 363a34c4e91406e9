import { expect, test } from 'vitest';
import type { HookArg } from '#hooks/kinds/metric.ts';
import { argsMap, mergeArgs } from './args.ts';

type Row = {
  readonly name: string;
  readonly declared: readonly HookArg[];
  readonly given?: readonly HookArg[];
  readonly injected?: readonly HookArg[];
  readonly merged: readonly HookArg[] | string;
};

const rows: readonly Row[] = [
  { name: 'defaults stay', declared: [{ name: 'a', value: '1' }], merged: [{ name: 'a', value: '1' }] },
  {
    name: 'given values take their place',
    declared: [{ name: 'a', value: '1' }, { name: 'b' }],
    given: [
      { name: 'b', value: '2' },
      { name: 'a', value: '3' },
    ],
    merged: [
      { name: 'a', value: '3' },
      { name: 'b', value: '2' },
    ],
  },
  {
    name: 'injected values count more',
    declared: [{ name: 'PodName' }],
    given: [{ name: 'PodName', value: 'mine' }],
    injected: [{ name: 'PodName', value: 'x-0' }],
    merged: [{ name: 'PodName', value: 'x-0' }],
  },
  {
    name: 'a given name without a value changes nothing',
    declared: [{ name: 'a', value: '1' }],
    given: [{ name: 'a' }],
    merged: [{ name: 'a', value: '1' }],
  },
  {
    name: 'an empty text is a value',
    declared: [{ name: 'a' }],
    given: [{ name: 'a', value: '' }],
    merged: [{ name: 'a', value: '' }],
  },
  {
    name: 'what is not declared is dropped',
    declared: [],
    given: [{ name: 'x', value: '1' }],
    injected: [{ name: 'revision', value: '2' }],
    merged: [],
  },
  {
    name: 'unless it is about the pod',
    declared: [],
    injected: [
      { name: 'PodIP', value: '10.0.0.1' },
      { name: 'PodContainer[0]', value: 'main' },
    ],
    merged: [
      { name: 'PodIP', value: '10.0.0.1' },
      { name: 'PodContainer[0]', value: 'main' },
    ],
  },
  {
    name: "the seed's template without a pod",
    declared: [{ name: 'service-name', value: 'svc' }, { name: 'PodName' }],
    merged: 'PodName',
  },
  {
    name: 'every name without a value is reported',
    declared: [{ name: 'a' }, { name: 'b' }],
    merged: 'a, b',
  },
];

test.for(rows)('$name', ({ declared, given = [], injected = [], merged }) => {
  const found = mergeArgs(declared, given, { injected });
  if (typeof merged === 'string')
    expect(found).toMatchObject({
      type: 'missing',
      names: merged.split(', '),
      message: expect.stringContaining(merged) as string,
    });
  else expect(found).toEqual({ type: 'merged', args: merged });
});

test('arguments by name; one without a value is a problem, used or not', () => {
  expect(argsMap([{ name: 'a', value: '1' }])).toEqual({ type: 'args', args: new Map([['a', '1']]) });
  expect(argsMap([{ name: 'a', value: '1' }, { name: 'b' }])).toEqual({
    type: 'problem',
    message: 'the argument b has no value: give it one when the run is created, or in the template',
  });
});
