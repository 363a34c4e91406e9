import { isObject, type JsonObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { checkLabel1035 } from '#kube/names.ts';
import { validateObjectMeta } from '#kube/metadata/metadata.ts';
import { badValue } from './go-value.ts';
import { metaTypeError } from './object-meta.ts';
import { keep, keyedName, type ValidationRun } from './run.ts';

/** The requirements of `x-kubernetes-embedded-resource`: apiVersion, kind, and metadata that is valid if present. */
export function checkEmbedded(value: JsonObject, run: ValidationRun): void {
  const place = keyedName(run);
  const add = (field: string, error: Omit<FieldError, 'field'>): void => {
    keep(run.embedded, { ...error, field: place === '' ? field : `${place}.${field}` });
  };
  const apiVersion = textOf(value, 'apiVersion', add);
  if (apiVersion !== undefined && apiVersion.split('/').length > 2) {
    add('apiVersion', invalid(apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  }
  const kind = textOf(value, 'kind', add);
  const complaints = kind === undefined ? [] : checkLabel1035(kind.toLowerCase());
  if (kind !== undefined && complaints.length > 0) {
    add('kind', invalid(kind, `may have mixed case, but should otherwise match: ${complaints.join(',')}`));
  }
  if (Object.hasOwn(value, 'metadata')) checkMetadata(value, add);
}

type Add = (field: string, error: Omit<FieldError, 'field'>) => void;

const invalid = (value: JsonObject[string] | undefined, detail: string): Omit<FieldError, 'field'> => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${badValue(value)}: ${detail}`,
});

function textOf(value: JsonObject, name: string, add: Add): string | undefined {
  const text = Object.hasOwn(value, name) ? value[name] : '';
  if (typeof text === 'string' && text !== '') return text;
  if (text === '') add(name, { reason: 'FieldValueRequired', message: 'Required value: must not be empty' });
  else add(name, invalid(text, 'must be a string'));
  return undefined;
}

function checkMetadata(value: JsonObject, add: Add): void {
  const meta = value['metadata'] ?? null;
  const wrong = isObject(meta)
    ? metaTypeError(meta)
    : `json: cannot unmarshal ${Array.isArray(meta) ? 'array' : typeof meta} into Go value of type v1.ObjectMeta`;
  if (!isObject(meta) || wrong !== undefined) {
    add('metadata', invalid(meta, wrong ?? ''));
    return;
  }
  const named =
    typeof meta['name'] === 'string' && meta['name'] !== '' ? meta : { ...meta, name: 'fakename' };
  const namespaced = typeof meta['namespace'] === 'string' && meta['namespace'] !== '';
  const rules = { nameRule: 'path-segment', namespaced, strictFinalizers: false } as const;
  for (const { field, ...error } of validateObjectMeta(named, rules)) add(field, error);
}
