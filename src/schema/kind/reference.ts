import { isArray, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { objectSchema } from './crd.ts';
import { apiVersionOfKind, type PrinterColumn, type Kind } from './kind.ts';

/** The reference page of a kind, in Markdown. */
export function referencePage(kind: Kind): string {
  const properties = objectAt(objectSchema(kind), 'properties') ?? {};
  const own = Object.entries(properties).filter(
    ([name]) => !['apiVersion', 'kind', 'metadata'].includes(name),
  );
  const schema = { ...objectSchema(kind), properties: Object.fromEntries(own) };
  return [
    `# ${kind.kind}`,
    kind.description,
    table(['', ''], factsOf(kind)),
    '## Fields',
    table(['Field', 'Type', 'Default', 'Constraints', 'Description'], fieldRows(schema, '')),
    ...(kind.columns.length === 0
      ? []
      : ['## Columns', table(['Column', 'Shows', 'Description'], kind.columns.map(columnRow))]),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The name of a kind's page: `GameDeployment` has `game-deployment.md`. */
export const referenceFile = ({ kind }: Kind): string =>
  `${kind.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase()}.md`;

type Row = readonly string[];

const code = (text: string): string => `\`${text}\``;
const cell = (text: string): string => text.replaceAll('\n', ' ').replaceAll('|', '\\|');

function table(head: Row, rows: readonly Row[]): string {
  const line = (row: Row): string => `| ${row.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function factsOf(kind: Kind): readonly Row[] {
  const names = (list: readonly string[]): string => (list.length === 0 ? '–' : list.map(code).join(', '));
  const subresources = [
    ...(kind.hasStatus ? ['status'] : []),
    ...(kind.scale === undefined ? [] : ['scale']),
  ];
  return [
    ['apiVersion', code(apiVersionOfKind(kind))],
    ['kind', code(kind.kind)],
    ['scope', kind.scope],
    ['resource', code(kind.plural)],
    ['short names', names(kind.shortNames)],
    ['categories', names(kind.categories)],
    ['subresources', names(subresources)],
  ];
}

const columnRow = ({ name, jsonPath, description, wide }: PrinterColumn): Row => [
  wide === true ? `${name} (wide)` : name,
  code(jsonPath),
  description ?? '',
];

function fieldRows(schema: JsonObject, path: string): readonly Row[] {
  const required = listAt(schema, 'required');
  return Object.entries(objectAt(schema, 'properties') ?? {}).flatMap(([name, field]) => {
    if (!isObject(field)) return [];
    const here = path === '' ? name : `${path}.${name}`;
    const fallback = field['default'] === undefined ? '' : code(printJson(field['default']));
    const limits = [...(required.includes(name) ? ['required'] : []), ...constraintsOf(field)].join(', ');
    const row = [code(here), typeOf(field), fallback, limits, textAt(field, 'description') ?? ''];
    return [row, ...innerRows(field, here)];
  });
}

/** Rows of the objects inside a field: its own fields, those of its items, those of its values. */
function innerRows(field: JsonObject, path: string): readonly Row[] {
  const items = objectAt(field, 'items');
  const values = objectAt(field, 'additionalProperties');
  if (items !== undefined) return innerRows(items, `${path}[]`);
  if (values !== undefined) return innerRows(values, `${path}.*`);
  return fieldRows(field, path);
}

function typeOf(field: JsonObject): string {
  if (field['x-kubernetes-int-or-string'] === true) return 'integer or string';
  const items = objectAt(field, 'items');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const values = objectAt(field, 'additionalProperties');
  if (values !== undefined) return `map of ${typeOf(values)}`;
  return textAt(field, 'type') ?? 'any';
}

type Phrase = (value: string, field: JsonObject) => string;

const phrases: Readonly<Record<string, Phrase>> = {
  enum: (values) => `one of ${values}`,
  minimum: (value, field) => `${field['exclusiveMinimum'] === true ? '>' : '≥'} ${value}`,
  maximum: (value, field) => `${field['exclusiveMaximum'] === true ? '<' : '≤'} ${value}`,
  multipleOf: (value) => `multiple of ${value}`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  pattern: (value) => `matches ${code(value)}`,
  format: (value) => `format ${value}`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  minProperties: (value) => `at least ${value} fields`,
  maxProperties: (value) => `at most ${value} fields`,
  nullable: () => 'may be null',
  'x-kubernetes-preserve-unknown-fields': () => 'other fields are kept',
  'x-kubernetes-embedded-resource': () => 'a whole Kubernetes object',
  'x-kubernetes-list-map-keys': (keys) => `items differ in ${keys}`,
};

function inWords(value: Json): string {
  if (isArray(value)) return value.map((each) => code(inWords(each))).join(', ');
  return typeof value === 'string' ? value : printJson(value);
}

/** Pairs of limits that nothing fits between: the way of a schema without unions to leave out a shape. */
const leftOut: readonly (readonly [least: string, most: string, words: string])[] = [
  ['minimum', 'maximum', 'no number'],
  ['minItems', 'maxItems', 'no list'],
];

function constraintsOf(field: JsonObject): readonly string[] {
  const out = leftOut.filter(([least, most]) => Number(field[least]) > Number(field[most]));
  const silent = new Set(out.flatMap(([least, most]) => [least, most]));
  const said = Object.entries(phrases).flatMap(([keyword, phrase]) => {
    const value = field[keyword];
    return value === undefined || value === false || silent.has(keyword)
      ? []
      : [phrase(inWords(value), field)];
  });
  return [...said, ...out.map(([, , words]) => words)];
}
