import { expect, test } from 'vitest';
import { isTooDeep } from './json-depth.ts';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.for([
  { name: 'a flat object', text: JSON.stringify({ a: 'x'.repeat(2000) }), deep: false },
  { name: 'exactly the limit', text: nested(500), deep: false },
  { name: 'one more', text: nested(501), deep: true },
  { name: 'brackets inside a string', text: JSON.stringify({ a: '['.repeat(2000) }), deep: false },
  {
    name: 'an escaped quote before brackets',
    text: JSON.stringify({ a: `"${'{'.repeat(2000)}` }),
    deep: false,
  },
  { name: 'many brackets side by side', text: `[${'[],'.repeat(1000)}1]`, deep: false },
])('$name', ({ text, deep }) => {
  expect(isTooDeep(text)).toBe(deep);
});
