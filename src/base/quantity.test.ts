import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addQuantity, compareQuantity, formatQuantity, parseQuantity } from './quantity.ts';

const canonical = (text: string): string | undefined => {
  const quantity = parseQuantity(text);
  return quantity === undefined ? undefined : formatQuantity(quantity);
};

test.for([
  ['0', '0'],
  ['-0', '0'],
  ['1', '1'],
  ['+1', '1'],
  ['007', '7'],
  ['0.5', '500m'],
  ['.5', '500m'],
  ['1.', '1'],
  ['1.5', '1500m'],
  ['1500m', '1500m'],
  ['1000m', '1'],
  ['-250m', '-250m'],
  ['100', '100'],
  ['1000', '1k'],
  ['1234567', '1234567'],
  ['128974848', '128974848'],
  ['1024Mi', '1Gi'],
  ['1Gi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['1Ki', '1Ki'],
  ['0.5Ki', '512'],
  ['1000Ki', '1000Ki'],
  ['-2Ki', '-2Ki'],
  ['0.0001Ki', '102400u'],
  ['1e3', '1e3'],
  ['1E3', '1e3'],
  ['1.5e3', '1500'],
  ['12e4', '120e3'],
  ['1e-3', '1e-3'],
  ['1e+6', '1e6'],
  ['2E', '2E'],
  ['1000E', '1000E'],
  ['1n', '1n'],
  ['0.1n', '1n'],
  ['1.0000000001', '1000000001n'],
  ['100u', '100u'],
  ['9223372036854775807Ki', '9223372036854775807'],
  ['1e-400', '1e-9'],
] as const)('%s is %s', ([text, expected]) => {
  expect(canonical(text)).toBe(expected);
});

test.for([
  '',
  'lots',
  '1i',
  '1ki',
  '1 ',
  ' 1',
  '1Gib',
  '1.1.1',
  '1e',
  '1e-',
  '--1',
  '1-1',
  '1,5',
  '1K',
  '١',
  `1e${'9'.repeat(20)}`,
  '9'.repeat(500),
])('%j is no quantity', (text) => {
  expect(parseQuantity(text)).toBeUndefined();
});

test.for([
  ['1Gi', '1024Mi', 0],
  ['1G', '1Gi', -1],
  ['1', '999m', 1],
  ['-1', '0', -1],
  ['1e3', '1k', 0],
] as const)('%s against %s is %d', ([left, right, order]) => {
  expect(compareQuantity(parseQuantity(left)!, parseQuantity(right)!)).toBe(order);
});

test.for([
  ['1Gi', '1', '1073741825'],
  ['1Gi', '1Gi', '2Gi'],
  ['0', '1Gi', '1Gi'],
  ['500m', '1.5', '2'],
  ['1e3', '1', '1001'],
] as const)('%s and %s make %s', ([left, right, sum]) => {
  expect(formatQuantity(addQuantity(parseQuantity(left)!, parseQuantity(right)!))).toBe(sum);
});

const number = fc.tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.option(fc.nat(999_999)));
const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'Ki', 'Mi', 'Gi', 'e3', 'e-2', 'E6');
const written = fc
  .tuple(number, suffix)
  .map(([[whole, part], unit]) => `${whole}${part === null ? '' : `.${part}`}${unit}`);

test('the canonical text means the same amount and is canonical itself', () => {
  fc.assert(
    fc.property(written, (text) => {
      const quantity = parseQuantity(text)!;
      const again = parseQuantity(formatQuantity(quantity))!;
      expect(compareQuantity(again, quantity)).toBe(0);
      expect(formatQuantity(again)).toBe(formatQuantity(quantity));
    }),
  );
});

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string(), (text) => void canonical(text)));
});
