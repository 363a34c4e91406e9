import { equalJson, isArray, isObject, textAt, type Json } from '#base/json.ts';

/** A field that differs between two templates. Without `from` it was added, without `to` removed. */
export type TemplateFieldChange = { readonly path: string; readonly from?: Json; readonly to?: Json };

/** What differs, field by field. Items of a list that all have names are compared by name. */
export function templateChanges(
  from: Json | undefined,
  to: Json | undefined,
  path = '',
): readonly TemplateFieldChange[] {
  if (equalJson(from, to)) return [];
  if (isObject(from) && isObject(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
    return keys.flatMap((key) => templateChanges(from[key], to[key], `${path}${member(path, key)}`));
  }
  if (isArray(from) && isArray(to)) return listChanges(from, to, path);
  return [{ path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
}

const member = (path: string, key: string): string =>
  /^[\w-]+$/.test(key) ? `${path === '' ? '' : '.'}${key}` : `[${JSON.stringify(key)}]`;

function listChanges(
  from: readonly Json[],
  to: readonly Json[],
  path: string,
): readonly TemplateFieldChange[] {
  const isNamed = [...from, ...to].every((item) => textAt(item, 'name') !== undefined);
  if (!isNamed) {
    const count = Math.max(from.length, to.length);
    return Array.from({ length: count }, (_, i) => templateChanges(from[i], to[i], `${path}[${i}]`)).flat();
  }
  const nameOf = (item: Json): string => textAt(item, 'name') ?? '';
  const names = [...new Set([...from, ...to].map(nameOf))];
  const found = names.flatMap((name) => {
    const named = (list: readonly Json[]): Json | undefined => list.find((item) => nameOf(item) === name);
    return templateChanges(named(from), named(to), `${path}[name=${name}]`);
  });
  // The same items in another order, or a name twice.
  return found.length === 0 ? [{ path, from, to }] : found;
}
