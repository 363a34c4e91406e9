import { expect, test } from 'vitest';
import { shownText } from './shown-text.ts';

test.for([
  ['{"password":"s3","user":"a"}', '{"password":"***","user":"a"}'],
  ['{"dbPassword": "s\\"3", "x": 1}', '{"dbPassword": "***", "x": 1}'],
  ['{"env":[{"name":"API_TOKEN","value":"s3"}]}', '{"env":[{"name":"API_TOKEN","value":"***"}]}'],
  ['{"private_key":"cut in the mid', '{"private_key":"***"'],
  ['{"secretKeyRef":{"name":"a","key":"b"}}', '{"secretKeyRef":{"name":"a","key":"b"}}'],
  ['{"tokens":3,"secretName":"plain"}', '{"tokens":3,"secretName":"plain"}'],
  ['plain \u001b[31mred\u001b[0m \u0007', 'plain red \\x07'],
] as const)('%s is shown as %s', ([given, shown]) => {
  expect(shownText(given)).toBe(shown);
});

test('a long body is cut', () => {
  const text = shownText('x'.repeat(100_000));
  expect(text).toHaveLength(16 * 1024);
  expect(text.endsWith('…')).toBe(true);
});
