import { conversions } from './lib-convert.ts';
import { namedFormats } from './lib-format.ts';
import { addresses, networks } from './lib-ip.ts';
import { lists, sets } from './lib-lists.ts';
import { operators } from './lib-operators.ts';
import { optionals } from './lib-optional.ts';
import { quantities } from './lib-quantity.ts';
import { regex } from './lib-regex.ts';
import { standard } from './lib-standard.ts';
import { strings } from './lib-strings.ts';
import { times } from './lib-time.ts';
import { urls } from './lib-url.ts';
import { overloadOf, type Overload } from './overload.ts';
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
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
  type CelType,
} from './type.ts';

const rows = [
  operators,
  standard,
  conversions,
  times,
  strings,
  lists,
  sets,
  regex,
  urls,
  addresses,
  networks,
  quantities,
  namedFormats,
  optionals,
].flat();

const byName = Map.groupBy(rows.map(overloadOf), ({ name }) => name);
const none: readonly Overload[] = [];

/** All ways to call a function, by its name; namespaces are part of it. */
export const overloadsOf = (name: string): readonly Overload[] => byName.get(name) ?? none;

/** The names of types: values of their own, as in `type(x) == string`. */
export const typeIdents: ReadonlyMap<string, CelType> = new Map(
  Object.entries({
    bool: boolType,
    int: intType,
    uint: uintType,
    double: doubleType,
    string: stringType,
    bytes: bytesType,
    null_type: nullType,
    list: listType(dynType),
    map: mapType(dynType, dynType),
    type: typeType(dynType),
    optional_type: optionalType(dynType),
    'google.protobuf.Timestamp': timestampType,
    'google.protobuf.Duration': durationType,
  }).map(([name, type]) => [name, typeType(type)] as const),
);
