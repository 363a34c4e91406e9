import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '#base/journal.ts';
import { instant } from '#base/time.ts';
import { ephemeralJournal } from './ephemeral-journal.ts';

const row = (revision: number, resource: string, json: string): Row => ({
  revision,
  resource,
  key: `default/e${revision}`,
  deleted: false,
  at: instant(0),
  json,
});

test('a text is read back as it was written, until it is forgotten', () => {
  const journal = ephemeralJournal('/events');
  let revision = 0;
  fc.assert(
    fc.property(fc.json(), (json) => {
      journal.append([row(++revision, '/events', json)]);
      expect(journal.read(revision)).toBe(json);
    }),
    { numRuns: 100 },
  );
  journal.append([row(revision + 1, '/events', '{}')], { revisions: [revision], compacted: revision });
  expect(journal.read(revision)).toBeUndefined();
  expect(journal.read(revision + 1)).toBe('{}');
});

test('what is never read from it again is not kept', () => {
  const journal = ephemeralJournal('/events');
  journal.append([row(1, '/pods', '{}')]);
  expect(journal.read(1)).toBeUndefined();
  expect([...journal.load().rows]).toEqual([]);
});
