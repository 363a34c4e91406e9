import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import { replay, type JournalRecord, type TaskOutcome } from '#machines/decide/progress.ts';
import { compactSteps, recordsOf } from './journal.ts';

const outcome: fc.Arbitrary<TaskOutcome> = fc.oneof(
  fc.constant<TaskOutcome>({ type: 'succeeded' }),
  fc.record({
    type: fc.constant('failed' as const),
    exit: fc.integer({ min: 1, max: 255 }),
    message: fc.string({ minLength: 1 }),
  }),
  fc.record({
    type: fc.constant('unreachable' as const),
    message: fc.string({ minLength: 1 }),
    refused: fc.constant(false),
    launched: fc.boolean(),
  }),
  fc.record({ type: fc.constant('unknown' as const), message: fc.string({ minLength: 1 }) }),
);

const attempt: fc.Arbitrary<readonly JournalRecord[]> = fc
  .record({
    at: fc.integer({ min: 0, max: 4_000_000_000_000 }).map(instant),
    step: fc.constantFrom('files/copy', 'node-pre/PreInstall', 'w@x/hook'),
    node: fc.constantFrom('10.0.0.1', 'mc-1', '@local'),
    attempt: fc.integer({ min: 1, max: 5 }),
  })
  .chain((base) =>
    fc.oneof(
      fc.constant<readonly JournalRecord[]>([{ type: 'staging', ...base }]),
      fc.constant<readonly JournalRecord[]>([{ type: 'intent', ...base, fingerprint: '' }]),
      outcome.map((each): readonly JournalRecord[] => [
        { type: 'staging', ...base },
        { type: 'result', ...base, outcome: each },
      ]),
    ),
  );

/** What decides: everything but texts of successes and whether the process still lives. */
const facts = (records: readonly JournalRecord[]) =>
  [...replay([...records, { type: 'opened', at: instant(0), run: 'r' }]).tasks]
    .map(([key, { state, attempts, failures, since, outcome: end }]) =>
      state === 'Succeeded'
        ? { key, state }
        : {
            key,
            state,
            attempts,
            failures,
            since,
            ...(state !== 'Staging' && state !== 'Launched' && { end }),
          },
    )
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));

test('what a status keeps leads to the same progress as the journal', () => {
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 15 }), (attempts) => {
      const records = attempts.flat();
      const kept = JSON.parse(JSON.stringify(compactSteps(replay(records)))) as ReturnType<
        typeof compactSteps
      >;
      expect(facts(recordsOf(kept))).toEqual(facts(records));
    }),
  );
});

test('machines that are done take no more room than their names', () => {
  const done: JournalRecord = {
    type: 'result',
    at: instant(5),
    step: 's',
    node: 'n',
    attempt: 1,
    outcome: { type: 'succeeded' },
  };
  expect(compactSteps(replay([done]))).toEqual([{ name: 's', done: ['n'] }]);
});
