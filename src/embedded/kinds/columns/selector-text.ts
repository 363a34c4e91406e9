import { isObject, listAt, textAt, type Json } from '#base/json.ts';
import { textsAt } from './cells.ts';

/** A label selector as one line: `app=web,tier in (a,b),!old`, sorted by key; empty when it selects by nothing. */
export function selectorText(selector: Json | undefined): string {
  if (!isObject(selector)) return '';
  const requirements = [...labelRequirements(selector['matchLabels']), ...expressionRequirements(selector)];
  return requirements
    .sort((left, right) => (left.key < right.key ? -1 : Number(left.key > right.key)))
    .map(({ text }) => text)
    .join(',');
}

/** The same, with `<none>` for nothing. */
export const selectorOrNone = (selector: Json | undefined): string => selectorText(selector) || '<none>';

type Requirement = { readonly key: string; readonly text: string };

function labelRequirements(labels: Json | undefined): readonly Requirement[] {
  if (!isObject(labels)) return [];
  return Object.entries(labels).map(([key, value]) => ({
    key,
    text: `${key}=${typeof value === 'string' ? value : ''}`,
  }));
}

function expressionRequirements(selector: Json): readonly Requirement[] {
  return listAt(selector, 'matchExpressions').map((expression) => {
    const key = textAt(expression, 'key') ?? '';
    return { key, text: expressionText(key, expression) };
  });
}

function expressionText(key: string, expression: Json): string {
  const values = textsAt(expression, 'values');
  const list = `(${[...values].sort().join(',')})`;
  switch (textAt(expression, 'operator')) {
    case 'In':
      return `${key} in ${list}`;
    case 'NotIn':
      return `${key} notin ${list}`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
