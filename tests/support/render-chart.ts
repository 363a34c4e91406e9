import type { Json, JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';

/** What a chart is rendered with. */
export type ChartInput = { readonly namespace: string; readonly values: JsonObject };

const action = /\{\{-?\s*(.*?)\s*-?\}\}/g;

/** Renders the part of Helm's language that our chart may use: values, the namespace and `if`. Anything else throws. */
export function renderTemplate(text: string, { namespace, values }: ChartInput): string {
  const open: boolean[] = [];
  let out = '';
  let last = 0;
  const put = (piece: string): void => {
    if (!open.includes(false)) out += piece;
  };
  for (const match of text.matchAll(action)) {
    put(text.slice(last, match.index));
    last = match.index + match[0].length;
    const [, said = ''] = match;
    const condition = /^if \.Values\.(\w+)$/.exec(said)?.[1];
    if (condition !== undefined) open.push(isTrue(valueOf(values, condition)));
    else if (said === 'end') {
      if (open.pop() === undefined) throw new Error('an end without an if');
    } else put(substituted(said, namespace, values));
  }
  put(text.slice(last));
  if (open.length > 0) throw new Error('an if without an end');
  return out;
}

/** As in Helm: what is empty is false. */
const isTrue = (value: Json): boolean => value !== false && value !== 0 && value !== '' && value !== null;

function substituted(said: string, namespace: string, values: JsonObject): string {
  if (said === '.Release.Namespace') return namespace;
  const name = /^\.Values\.(\w+)$/.exec(said)?.[1];
  if (name === undefined) throw new Error(`{{ ${said} }} is more than the chart may use`);
  const value = valueOf(values, name);
  return typeof value === 'string' ? value : printJson(value);
}

function valueOf(values: JsonObject, name: string): Json {
  const value = values[name];
  if (value === undefined) throw new Error(`there is no value ${name}`);
  return value;
}
