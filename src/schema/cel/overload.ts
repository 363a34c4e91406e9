import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  paramType,
  stringType,
  timestampType,
  typeType,
  uintType,
  type CelType,
} from './type.ts';
import type { CelValue } from './value.ts';

/** One way to call a function. */
export type Overload = {
  /** The signature as it is written in the tables. */
  readonly id: string;
  readonly name: string;
  readonly member: boolean;
  /** The receiver comes first. */
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly call: (...args: CelValue[]) => CelValue;
};

/** A signature and what it does. The arguments are of the types that the signature names. */
export type OverloadRow = readonly [signature: string, call: (...args: never[]) => CelValue];

/**
 * Reads `string.indexOf(string, int): int`. The part before the dot is the receiver; a leading `#` says that
 * the dot belongs to the name, as in `#ip.isCanonical(string): bool`.
 */
export function overloadOf([signature, call]: OverloadRow): Overload {
  const match = /^(#?)(?:([\w<>, ]+)\.)?([^.(]+)\((.*)\): (.+)$/.exec(signature);
  if (match === null) throw new Error(`no signature: ${signature}`);
  const [, qualified = '', receiver, last = '', list = '', result = ''] = match;
  const params = splitTypes(list).map(typeOf);
  const member = receiver !== undefined && qualified === '';
  return {
    id: signature,
    name: qualified === '' || receiver === undefined ? last : `${receiver}.${last}`,
    member,
    params: member ? [typeOf(receiver), ...params] : params,
    result: typeOf(result),
    // The checker only lets arguments of these types through, and evaluation guards what it could not see.
    call: call as (...args: CelValue[]) => CelValue,
  };
}

/** Splits at the commas that stand outside of angle brackets. */
function splitTypes(list: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let current = '';
  for (const char of list) {
    if (char === '<') depth++;
    if (char === '>') depth--;
    if (char === ',' && depth === 0) {
      parts.push(current);
      current = '';
    } else current += char;
  }
  return current.trim() === '' ? parts : [...parts, current];
}

const named: Readonly<Record<string, CelType>> = {
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  null: nullType,
  timestamp: timestampType,
  duration: durationType,
  dyn: dynType,
  URL: opaqueType('kubernetes.URL'),
  IP: opaqueType('net.IP'),
  CIDR: opaqueType('net.CIDR'),
  Quantity: opaqueType('kubernetes.Quantity'),
  Format: opaqueType('kubernetes.NamedFormat'),
};

function typeOf(text: string): CelType {
  const name = text.trim();
  const simple = named[name];
  if (simple !== undefined) return simple;
  if (/^[A-Z]$/.test(name)) return paramType(name);
  const match = /^(\w+)<(.*)>$/.exec(name);
  const [first = dynType, second = dynType] = splitTypes(match?.[2] ?? '').map(typeOf);
  switch (match?.[1]) {
    case 'list':
      return listType(first);
    case 'map':
      return mapType(first, second);
    case 'optional':
      return optionalType(first);
    case 'type':
      return typeType(first);
    default:
      throw new Error(`no type: ${name}`);
  }
}

/** Signatures of one form for several types: `A` in the text stands for each of them. */
export const forTypes = (
  types: readonly string[],
  signature: string,
  call: (...args: never[]) => CelValue,
): readonly OverloadRow[] => types.map((type) => [signature.replaceAll('A', type), call] as const);
