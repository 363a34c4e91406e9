import { isArray, isNumber, isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { enoughErrors, forbidden, invalid, required, tooLong, type FieldError } from '#kube/field-error.ts';
import {
  checkLabel,
  checkLabel1035,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  checkSubdomain,
  type Complaints,
} from '#kube/names.ts';
import { textOf } from '#base/json-edit.ts';
import { checkOwnerReferences } from './owner-references.ts';

/** Which names the objects of a kind may have. */
export type NameRule = 'subdomain' | 'label' | 'label1035' | 'path-segment';

export type MetaRules = {
  readonly nameRule: NameRule;
  readonly namespaced: boolean;
  /** Built-in kinds want a domain in a finalizer's name; custom resources do not. True unless told. */
  readonly strictFinalizers?: boolean;
};

const none: readonly FieldError[] = [];
const nobody: JsonObject = {};

/** Validates the metadata of a new object. */
export function validateObjectMeta(meta: JsonObject, rules: MetaRules): readonly FieldError[] {
  const errors: FieldError[] = [];
  checkNames(meta, rules, errors);
  checkMaps(meta, errors);
  checkOwnerReferences(meta['ownerReferences'], errors);
  checkFinalizers(meta, rules.strictFinalizers ?? true, errors);
  return errors.length === 0 ? none : errors;
}

const nameChecks: Readonly<Record<NameRule, (name: string, prefix: boolean) => Complaints>> = {
  subdomain: (name, prefix) => checkSubdomain(prefix ? maskDash(name) : name),
  label: (name, prefix) => checkLabel(prefix ? maskDash(name) : name),
  label1035: (name, prefix) => checkLabel1035(prefix ? maskDash(name) : name),
  'path-segment': checkPathSegment,
};

/** A prefix may end with a dash because more will follow; the server forgives the last two characters. */
const maskDash = (name: string): string =>
  name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;

function checkNames(meta: JsonObject, { nameRule, namespaced }: MetaRules, errors: FieldError[]): void {
  const check = nameChecks[nameRule];
  const generateName = textAt(meta, 'generateName') ?? '';
  if (generateName !== '') {
    for (const each of check(generateName, true))
      errors.push(invalid('metadata.generateName', generateName, each));
  }
  const name = textAt(meta, 'name') ?? '';
  if (name === '') errors.push(required('metadata.name', 'name or generateName is required'));
  else for (const each of check(name, false)) errors.push(invalid('metadata.name', name, each));
  checkNamespace(textAt(meta, 'namespace') ?? '', namespaced, errors);
  const generation = meta['generation'];
  if (isNumber(generation) && generation < 0) {
    errors.push(invalid('metadata.generation', generation, 'must be greater than or equal to 0'));
  }
}

function checkNamespace(namespace: string, namespaced: boolean, errors: FieldError[]): void {
  if (!namespaced) {
    if (namespace !== '') errors.push(forbidden('metadata.namespace', 'not allowed on this type'));
  } else if (namespace === '') {
    errors.push(required('metadata.namespace'));
  } else {
    for (const each of checkLabel(namespace)) errors.push(invalid('metadata.namespace', namespace, each));
  }
}

/** Labels and annotations, wherever they stand. */
export function checkMaps(meta: JsonObject, errors: FieldError[], path = 'metadata'): void {
  checkLabels(meta['labels'], `${path}.labels`, errors);
  const annotations = meta['annotations'];
  if (isObject(annotations)) checkAnnotations(annotations, `${path}.annotations`, errors);
}

export function checkLabels(labels: Json | undefined, field: string, errors: FieldError[]): void {
  if (!isObject(labels)) return;
  for (const key in labels) {
    if (errors.length >= enoughErrors) return;
    for (const each of checkQualifiedName(key)) errors.push(invalid(field, key, each));
    const value = textOf(labels[key]);
    for (const each of checkLabelValue(value)) errors.push(invalid(field, value, each));
  }
}

const mostAnnotationBytes = 262_144;

function checkAnnotations(annotations: JsonObject, field: string, errors: FieldError[]): void {
  let characters = 0;
  for (const key in annotations) {
    if (errors.length >= enoughErrors) return;
    for (const each of checkQualifiedName(key.toLowerCase())) errors.push(invalid(field, key, each));
    characters += key.length + textOf(annotations[key]).length;
  }
  // One UTF-16 unit is at most three bytes of UTF-8: counting exactly is rarely needed.
  if (characters * 3 > mostAnnotationBytes && byteLength(annotations) > mostAnnotationBytes) {
    errors.push(tooLong(field, mostAnnotationBytes));
  }
}

const encoder = new TextEncoder();

function byteLength(map: JsonObject): number {
  return Object.entries(map).reduce(
    (sum, [key, value]) => sum + encoder.encode(key + textOf(value)).length,
    0,
  );
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

function checkFinalizers(meta: JsonObject, strict: boolean, errors: FieldError[]): void {
  const finalizers = meta['finalizers'];
  if (!isArray(finalizers) || finalizers.length === 0) return;
  const texts = finalizers.map(String);
  for (const each of texts) {
    if (errors.length >= enoughErrors) return;
    for (const text of checkQualifiedName(each)) errors.push(invalid('metadata.finalizers', each, text));
  }
  if (texts.includes('orphan') && texts.includes('foregroundDeletion')) {
    errors.push(
      invalid('metadata.finalizers', texts, 'finalizer orphan and foregroundDeletion cannot be both set'),
    );
  }
  if (!strict) return;
  texts.forEach((each, i) => {
    if (each.includes('/') || standardFinalizers.has(each) || errors.length >= enoughErrors) return;
    const text = 'name is neither a standard finalizer name nor is it fully qualified';
    errors.push(invalid(`metadata.finalizers[${i}]`, each, text));
  });
}

/** The names of a list of texts in metadata, such as finalizers. */
export const textsOf = (meta: JsonObject | undefined, key: string): readonly string[] =>
  listAt(meta ?? nobody, key).map(String);
