import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textWidth } from './text-width.ts';
import { wrapCommand } from './wrap-command.ts';
import { wrapText } from './wrap-text.ts';

const bullet = { first: '- ', rest: '  ' };

test('breaks at blanks, and cuts a word that is too long', () => {
  expect(wrapText('one two three', 9, bullet)).toEqual(['- one two', '  three']);
  expect(wrapText('abcdefghijkl', 7, bullet)).toEqual(['- abcde', '  fghij', '  kl']);
  expect(wrapText('', 9, bullet)).toEqual(['- ']);
  expect(wrapText('one two', Infinity, bullet)).toEqual(['- one two']);
  expect(wrapText('日本語 日本語', 8, bullet)).toEqual(['- 日本語', '  日本語']);
});

test('no line is too wide, and no letter is lost', () => {
  const texts = fc.array(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 12 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 6, max: 40 }), (words, columns) => {
      const text = words.join(' ');
      const lines = wrapText(text, columns, bullet);
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      const letters = (each: string): string => each.replaceAll(/\s/g, '');
      expect(lines.map((line) => letters(line.slice(2))).join('')).toBe(letters(text));
    }),
  );
});

test('a command stays a command', () => {
  const command = `kubectl patch gamedeployment/shop --type=merge --patch='{"spec": {"a b": true}}'`;
  expect(wrapCommand(command, 120, '  ')).toEqual([`  ${command}`]);
  const lines = wrapCommand(command, 50, '  ');
  expect(lines).toEqual([
    '  kubectl patch gamedeployment/shop --type=merge \\',
    `    --patch='{"spec": {"a b": true}}'`,
  ]);
  const joined = lines
    .join('\n')
    .replaceAll(/ \\\n\s+/g, ' ')
    .trim();
  expect(joined).toBe(command);
});
