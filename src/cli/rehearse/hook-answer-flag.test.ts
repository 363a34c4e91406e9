import { expect, test } from 'vitest';
import { hookFlagAnswers } from './hook-answer-flag.ts';

const named = { what: 'TEMPLATE', example: 'smoke-test' } as const;
const answersOf = (...given: readonly string[]) =>
  Object.fromEntries(hookFlagAnswers(given, { named, readFile: (path) => path }));

test('an answer is a verdict, a number of calls that pass, or a file', () => {
  expect(answersOf('a=pass', 'b=fail', 'c=fail-after:3', 'd=replies/d.json')).toEqual({
    a: { type: 'pass' },
    b: { type: 'fail-after', calls: 0 },
    c: { type: 'fail-after', calls: 3 },
    d: 'replies/d.json',
  });
});

test.for(['test=fail-after', 'test=fail-after:', 'test=fail-after:x', 'test=fail-after:1234567'])(
  '%s is refused and taken for no file',
  (given) => {
    expect(() => answersOf(given)).toThrow(
      `--hook ${given} is not understood: write test=fail-after:3, with the number of calls that pass`,
    );
  },
);

test('an answer without a name, and a second one for a name, are refused', () => {
  expect(() => answersOf('reply.json')).toThrow(
    '--hook reply.json is not TEMPLATE=ANSWER, such as smoke-test=reply.json or smoke-test=fail-after:3',
  );
  expect(() => answersOf('test=pass', 'test=fail')).toThrow('--hook: test is given twice');
});
