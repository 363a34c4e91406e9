import { expect, test } from 'vitest';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import { bounded } from './bounded.ts';

const long = `\u001B[31m${'x'.repeat(700_000)}`;
const evidence = { request: long, body: long, status: 200 };

test.for<ProviderReading>([
  { type: 'value', result: long, value: long, evidence },
  { type: 'no-data', why: long, evidence },
  { type: 'verdict', phase: 'Failed', value: long, message: long, evidence },
  { type: 'error', message: long, evidence },
])('a reading of type $type is kept in short, without what a terminal would obey', (reading) => {
  const { result, ...kept } = { result: undefined, ...bounded(reading) };
  expect(JSON.stringify(kept).length).toBeLessThan(6000);
  expect(JSON.stringify(kept)).not.toContain('\\u001b');
  expect(kept.evidence.status).toBe(200);
  // Conditions test all of it.
  if (reading.type === 'value') expect(result).toBe(long);
});

test('a short one stays as it is', () => {
  const reading: ProviderReading = {
    type: 'value',
    result: 'a',
    value: 'a',
    evidence: { request: 'GET', body: 'a\nb' },
  };
  expect(bounded(reading)).toEqual(reading);
});
