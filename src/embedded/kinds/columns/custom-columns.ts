import { ageSince, formatAge } from '#base/age.ts';
import { isArray, isNumber, isObject, numberAt, textAt, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { compileJsonPath, type JsonPath } from '#base/jsonpath.ts';
import { JsonPathError } from '#base/jsonpath-parse.ts';
import { millis, parseTime, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { ageDescription, creationAge, nameColumn, type Column } from './column.ts';

/** What custom resources print when their definition names no columns. */
const defaultCustomColumns: readonly Column[] = [
  nameColumn,
  { name: 'Age', type: 'date', format: '', description: ageDescription, priority: 0, cell: creationAge },
];

/**
 * The columns of a custom resource, from `additionalPrinterColumns` of its version. Compile them once
 * per definition. Columns whose path is not one are left out; the definition's validation refuses them.
 */
export function customColumns(additionalPrinterColumns: Json | undefined): readonly Column[] {
  if (!isArray(additionalPrinterColumns) || additionalPrinterColumns.length === 0)
    return defaultCustomColumns;
  return [nameColumn, ...additionalPrinterColumns.flatMap(customColumn)];
}

function customColumn(definition: Json): readonly Column[] {
  const jsonPath = textAt(definition, 'jsonPath') ?? '';
  const path = compiled(jsonPath);
  if (path === undefined) return [];
  const type = textAt(definition, 'type') ?? 'string';
  const column: Column = {
    name: textAt(definition, 'name') ?? '',
    type,
    format: textAt(definition, 'format') ?? '',
    description:
      textAt(definition, 'description') ||
      `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: numberAt(definition, 'priority') ?? 0,
    cell: (object, now) => cellOf(firstAt(path, object), type, now),
  };
  return [column];
}

function compiled(path: string): JsonPath | undefined {
  try {
    return compileJsonPath(path);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** A path that wanders too far shows nothing rather than failing the whole list. */
function firstAt(path: JsonPath, object: KubeObject): Json | undefined {
  try {
    return path.find(object)[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** A value as a cell of this type; what does not fit the type is null. */
function cellOf(value: Json | undefined, type: string, now: Instant): Json {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return printed(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : isNumber(value) ? value : null;
    case 'number':
      return isNumber(value) ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateText(value, now) : null;
    default:
      return null;
  }
}

function printed(value: Json): string {
  if (value === null) return '<no value>';
  return isObject(value) || isArray(value) ? printJson(value) : String(value);
}

function dateText(value: string, now: Instant): string {
  if (value === '' || value === 'null') return ageSince(undefined, now);
  const moment = parseTime(value);
  return moment === undefined ? '<invalid>' : formatAge(millis(now - moment));
}
