import { expect, test } from 'vitest';
import { hider, redactUrls, secretsInUrl } from './redact.ts';

test.for<[string, string]>([
  ['GET http://user:pw@host/a', 'GET http://***@host/a'],
  ['http://token@host', 'http://***@host'],
  ['http://u:p@@host/a@b', 'http://***@host/a@b'],
  ['http://h/a@b?c=d', 'http://h/a@b?c=d'],
  ['http://h/?token=x&a=b', 'http://h/?token=***&a=b'],
  ['http://h/?a=b&access_token=x#f', 'http://h/?a=b&access_token=***#f'],
  [
    'http://h/?apiKey=x&X-Amz-Signature=y&client-secret=z',
    'http://h/?apiKey=***&X-Amz-Signature=***&client-secret=***',
  ],
  ['http://h/?%74oken=x', 'http://h/?%74oken=***'],
  ['http://h/?PASSWORD=x', 'http://h/?PASSWORD=***'],
  ['http://h/?monkey=x&author=y&passage=z', 'http://h/?monkey=x&author=y&passage=z'],
  ['http://h/?%zz=1&key=', 'http://h/?%zz=1&key=***'],
  ['no address: a=b', 'no address: a=b'],
])('%s becomes %s', ([text, redacted]) => expect(redactUrls(text)).toBe(redacted));

test.for(['?', '&', '//', '@', '?a', '//@', '=&'])(
  'very often %j is read in one go',
  { timeout: 2000 },
  (piece) => {
    const text = `${piece.repeat(300_000)}@=`;
    expect(redactUrls(text).length).toBeLessThanOrEqual(text.length * 3);
  },
);

test('secrets are hidden however they are written', () => {
  const hide = hider(['pass"word\\', 'a b/c&d=', 'abcdef', 'abcdefgh', ' newline\n']);
  expect(hide('pass"word\\')).toBe('***');
  expect(hide(JSON.stringify({ x: 'pass"word\\' }))).toBe('{"x":"***"}');
  expect(hide('q=a%20b%2Fc%26d%3D')).toBe('q=***');
  expect(hide('abcdefgh abcdef')).toBe('*** ***');
  expect(hide('<newline>')).toBe('<***>');
  expect(hide(String.raw`{"x":"a b\/c&d="}`)).toBe('{"x":"***"}');
  expect(hide(`Basic ${btoa('abcdefgh')}`)).toBe('Basic ***');
});

test('a secret is hidden in any text from four characters on', () => {
  expect(hider(['', '3', '345', '2345'])('{"age":12345,"pin":"2345"}')).toBe('{"age":1***,"pin":"***"}');
  expect(hider(['', '3', '345'])('{"age":12345}')).toBe('{"age":12345}');
});

test.for<[text: string, shown: string]>([
  ['{"x-token":"ab","tab":"ab"}', '{"x-token":"***","tab":"ab"}'],
  ['{"X-Token": ["ab"]}', '{"X-Token": ["***"]}'],
  ['X-Token: ab\nab', 'X-Token: ***\nab'],
  ['HTTP_X_TOKEN=ab&tab=ab', 'HTTP_X_TOKEN=***&tab=ab'],
  ['x-token: abc', 'x-token: abc'],
  ['ab', 'ab'],
])('a shorter one is hidden where it was filled in: %s', ([text, shown]) => {
  expect(hider([], [{ name: 'X-Token', value: ' ab\n' }])(text)).toBe(shown);
});

test('very many spaces after a name are read in one go', { timeout: 2000 }, () => {
  const text = `x-token:${' '.repeat(500_000)}[${' '.repeat(500_000)}`;
  expect(hider([], [{ name: 'X-Token', value: 'ab' }])(text)).toBe(text);
});

test('what an address carries in secret', () => {
  expect(secretsInUrl('http://us%20er:p%40ssé@h/?a=b&api_key=k%26y')).toEqual([
    'k&y',
    'p@ssé',
    Buffer.from('us er:p@ssé').toString('base64'),
  ]);
  for (const url of ['http://h/', 'http://h/a@b?c=d', '@=', 'http://[?a=@'])
    expect(secretsInUrl(url)).toEqual([]);
});
