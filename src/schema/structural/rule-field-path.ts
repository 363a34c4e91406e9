import { isObject, type JsonObject } from '#base/json.ts';

/** A step of a rule's fieldPath: a name behind a dot, or a quoted one in brackets. */
const step = /\.([^.[\]']+)|\['((?:[^'\\]|\\.)*)'\]/y;
const escape = /\\(.)/gs;
const escaped: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/** The path that errors of a rule name, such as `a.b[key]`; undefined when the schema has no such place. */
export function fieldPathOf(schema: JsonObject, path: string): string | undefined {
  let place: JsonObject | undefined = schema;
  let name = '';
  step.lastIndex = 0;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (match === null || place === undefined) return undefined;
    const key = match[1] ?? unescaped(match[2] ?? '');
    const next: Below | undefined = key === undefined ? undefined : below(place, key);
    if (key === undefined || next === undefined) return undefined;
    name += next.named ? `${name === '' ? '' : '.'}${key}` : `[${key}]`;
    place = next.schema;
  }
  return name === '' ? undefined : name;
}

function unescaped(text: string): string | undefined {
  const codes = [...text.matchAll(escape)].map((each) => each[1] ?? '');
  if (!codes.every((code) => Object.hasOwn(escaped, code))) return undefined;
  return text.replaceAll(escape, (_all, code: string) => escaped[code] ?? '');
}

type Below = { readonly named: boolean; readonly schema: JsonObject | undefined };

function below(schema: JsonObject, key: string): Below | undefined {
  const { properties, additionalProperties } = schema;
  if (isObject(properties)) {
    const child = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return isObject(child) ? { named: true, schema: child } : undefined;
  }
  if ((additionalProperties ?? null) === null) return undefined;
  return { named: false, schema: isObject(additionalProperties) ? additionalProperties : undefined };
}
