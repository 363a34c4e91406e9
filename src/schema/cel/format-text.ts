import { formatDouble } from './go-number.ts';
import { Exhausted } from './meter.ts';
import { bytesOfText, textOfBytes } from './text.ts';
import { formatDuration, formatTimestamp } from './time-text.ts';
import { failed, isBoxed, isError, itemsOf, keyText, typeNameOf, type List, type CelValue } from './value.ts';

const clause = /%(?:%|(?:\.(\d{1,3}))?([a-zA-Z]))/g;

/** `'%d of %s'.format([1, 'x'])`; returns the first error. */
export function formatText(format: string, args: List): CelValue {
  let next = 0;
  let length = format.length;
  let fault: CelValue | undefined;
  const text = format.replaceAll(clause, (all, precision?: string, verb?: string) => {
    if (verb === undefined) return '%';
    const index = next++;
    const written =
      index < args.length
        ? write(verb, args.at(index), precision === undefined ? 6 : Number(precision))
        : failed(`index ${index} out of range`);
    if (typeof written === 'string') {
      length += written.length;
      if (length > mostCharacters) throw new Exhausted();
      return written;
    }
    fault ??= written;
    return all;
  });
  return fault ?? text;
}

/** Limit against abuse: no legitimate expression makes longer texts. */
const mostCharacters = 16_000_000;

const wrong = (text: string, value: CelValue): CelValue =>
  failed(`error during formatting: ${text}, was given ${typeNameOf(value)}`);

type Write = (value: CelValue, precision: number) => CelValue;

const verbs: Readonly<Record<string, Write>> = {
  s: (value) => writePlain(value),
  d: (value) => writeWhole(value, 10) ?? wrong('decimal clause can only be used on integers', value),
  f: (value, precision) => writeReal('f', value, precision),
  e: (value, precision) => writeReal('e', value, precision),
  b: writeBinary,
  o: (value) => writeWhole(value, 8) ?? wrong('octal clause can only be used on integers', value),
  x: (value) => writeHex(value, false),
  X: (value) => writeHex(value, true),
};

function write(verb: string, value: CelValue, precision: number): CelValue {
  if (isError(value)) return value;
  const known = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (known !== undefined) return known(value, precision);
  return failed(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
}

function writeBinary(value: CelValue): CelValue {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return writeWhole(value, 2) ?? wrong('only integers and bools can be formatted as binary', value);
}

function writeWhole(value: CelValue, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base);
  return isBoxed(value) && value.kind === 'uint' ? value.value.toString(base) : undefined;
}

function writeHex(value: CelValue, upper: boolean): CelValue {
  const bytes = typeof value === 'string' ? bytesOfText(value) : value;
  const hex =
    bytes instanceof Uint8Array
      ? Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('')
      : writeWhole(value, 16);
  if (hex === undefined)
    return wrong('only integers, byte buffers, and strings can be formatted as hex', value);
  return upper ? hex.toUpperCase() : hex;
}

const specialNames: ReadonlySet<CelValue> = new Set(['NaN', 'Infinity', '-Infinity']);

function writeReal(verb: 'f' | 'e', value: CelValue, precision: number): CelValue {
  const name = verb === 'f' ? 'fixed-point' : 'scientific';
  if (typeof value !== 'number' && !specialNames.has(value))
    return wrong(`${name} clause can only be used on doubles`, value);
  const real = Number(value);
  if (Number.isNaN(real)) return 'NaN';
  if (!Number.isFinite(real)) return real < 0 ? '-∞' : '∞';
  return verb === 'f' ? grouped(real.toFixed(Math.min(precision, 100))) : scientific(real, precision);
}

/** The server writes numbers as in the United States, with commas between thousands. */
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const parts = whole.replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? parts : `${parts}.${fraction}`;
}

const raised: readonly string[] = Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹');

function scientific(value: number, precision: number): string {
  const [digits = '', power = '0'] = value.toExponential(Math.min(precision, 100)).split('e');
  const exponent = String(Math.abs(Number(power))).padStart(2, '0');
  const sign = Number(power) < 0 ? '⁻' : '';
  return `${digits} × 10${sign}${Array.from(exponent, (each) => raised[Number(each)] ?? '').join('')}`;
}

/** Deeper values are cut off. */
const deepest = 64;

function writePlain(value: CelValue, depth = 0): CelValue {
  if (value === null) return 'null';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatDouble(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint8Array) return textOfBytes(value) ?? '';
  return writeBoxed(value, depth);
}

function writeBoxed(value: Extract<CelValue, { readonly kind: string }>, depth: number): CelValue {
  switch (value.kind) {
    case 'uint':
      return String(value.value);
    case 'type':
      return value.name;
    case 'timestamp':
      return formatTimestamp(value.nanos);
    case 'duration':
      return formatDuration(value.nanos);
    case 'list':
      return writeAll(itemsOf(value), depth, (texts) => `[${texts.join(', ')}]`);
    case 'map':
      return writeMap(value, depth);
    default:
      return wrong(
        'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
        value,
      );
  }
}

function writeAll(
  values: readonly CelValue[],
  depth: number,
  put: (texts: readonly string[]) => string,
): CelValue {
  if (depth > deepest) return '...';
  const written = values.map((each) => writeNested(each, depth + 1));
  const fault = written.find((each) => typeof each !== 'string');
  return fault ?? put(written.filter((each) => typeof each === 'string'));
}

function writeMap(map: Extract<CelValue, { readonly kind: 'map' }>, depth: number): CelValue {
  const keys = map.keys().toSorted((left, right) => (keyText(left) < keyText(right) ? -1 : 1));
  const flat = keys.flatMap((key) => [key, map.find(key) ?? null]);
  return writeAll(flat, depth, (texts) => {
    const pairs = texts.flatMap((text, i) => (i % 2 === 0 ? [`${text}:${texts[i + 1] ?? ''}`] : []));
    return `{${pairs.join(', ')}}`;
  });
}

/** Inside of lists and maps values look as they would in an expression. */
function writeNested(value: CelValue, depth: number): CelValue {
  if (typeof value === 'number') return value.toFixed(6);
  const plain = writePlain(value, depth);
  if (typeof plain !== 'string') return plain;
  if (typeof value === 'string') return JSON.stringify(plain);
  if (value instanceof Uint8Array) return `b${JSON.stringify(plain)}`;
  const timed = isBoxed(value) && (value.kind === 'timestamp' || value.kind === 'duration');
  return timed ? `${value.kind}(${JSON.stringify(plain)})` : plain;
}
