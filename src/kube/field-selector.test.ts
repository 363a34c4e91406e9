import fc from 'fast-check';
import { expect, test } from 'vitest';
import { demanded, matchesFields, parseFieldSelector, type FieldTerm } from './field-selector.ts';
import { SelectorError } from './label-selector.ts';

const field = fc.constantFrom('metadata.name', 'status.phase', 'spec.nodeName', '__proto__');
const value = fc.oneof(fc.constantFrom('', 'a', 'b=c', 'd,e', String.raw`f\g`, '!x'), fc.string());
const term = fc.record({ field, equals: fc.boolean(), value });

const escaped = (text: string): string => text.replaceAll(/[\\,=]/g, String.raw`\$&`);
const printed = (terms: readonly FieldTerm[]): string =>
  terms.map((each) => `${each.field}${each.equals ? '=' : '!='}${escaped(each.value)}`).join(',');

test('what is escaped comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(term), (terms) => {
      expect(parseFieldSelector(printed(terms))).toEqual(terms);
    }),
  );
});

test('a selector matches when every term does', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 3 }), fc.dictionary(field, value), (terms, values) => {
      const valueOf = (name: string): string => (Object.hasOwn(values, name) ? (values[name] ?? '') : '');
      const wanted = terms.every((each) =>
        each.equals ? valueOf(each.field) === each.value : valueOf(each.field) !== each.value,
      );
      expect(matchesFields(terms, valueOf)).toBe(wanted);
    }),
  );
});

test.for<readonly [text: string, terms: readonly FieldTerm[]]>([
  ['', []],
  [',', []],
  ['metadata.name=a', [{ field: 'metadata.name', equals: true, value: 'a' }]],
  ['metadata.name==a', [{ field: 'metadata.name', equals: true, value: 'a' }]],
  ['metadata.name!=a', [{ field: 'metadata.name', equals: false, value: 'a' }]],
  ['spec.nodeName=', [{ field: 'spec.nodeName', equals: true, value: '' }]],
])('%s', ([text, terms]) => {
  expect(parseFieldSelector(text)).toEqual(terms);
});

test.for([
  ['bogus', "invalid selector: 'bogus'; can't understand 'bogus'"],
  ['a=b,bogus', "invalid selector: 'a=b,bogus'; can't understand 'bogus'"],
  ['a=b=c', "invalid selector: 'a=b=c'; unescaped character in 'b=c'"],
  [String.raw`a=\b`, String.raw`invalid selector: 'a=\b'; invalid escape sequence: \b`],
])('%s is refused', ([text = '', message = '']) => {
  expect(() => parseFieldSelector(text)).toThrow(new SelectorError(message));
});

test('no text is more than a selector error', () => {
  const piece = fc.constantFrom('a', '=', '==', '!=', '!', ',', '\\', ' ');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (text) => {
        try {
          parseFieldSelector(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SelectorError);
        }
      },
    ),
  );
});

test('only an equality demands a value', () => {
  const selector = parseFieldSelector('metadata.name!=a,metadata.namespace=n');
  expect(demanded(selector, 'metadata.name')).toBeUndefined();
  expect(demanded(selector, 'metadata.namespace')).toBe('n');
});
