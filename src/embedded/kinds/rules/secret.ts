import { isObject, without, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { jsonSyntaxError } from '#base/json-syntax.ts';
import { invalid, required, tooLong, type FieldError } from '#kube/field-error.ts';
import { annotationsOf } from '#kube/object.ts';
import { checkConfigKey } from '#kube/names.ts';
import { complain } from './checks.ts';
import { checkFrozen } from './config-map.ts';
import { fromBase64, toBase64 } from '#base/base64.ts';
import { base64Size } from './data-size.ts';
import { textOf, withMissing } from '#base/json-edit.ts';
import { textField } from './field-values.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

const most = 1_048_576;

/** Texts are folded into the data, where they win. */
function defaults(secret: JsonObject): JsonObject {
  const typed = withMissing(secret, { type: 'Opaque' });
  const texts = typed['stringData'];
  if (texts === undefined) return typed;
  const folded = isObject(texts)
    ? Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, toBase64(textOf(value))]))
    : {};
  const data = isObject(typed['data']) ? typed['data'] : {};
  return { ...without(typed, 'stringData'), data: { ...data, ...folded } };
}

function check(secret: JsonObject): FieldError[] {
  const data = isObject(secret['data']) ? secret['data'] : {};
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in data) {
    complain(key, `data[${key}]`, checkConfigKey(key), errors);
    size += base64Size(textOf(data[key]));
  }
  if (size > most) errors.push(tooLong('data', most));
  byType[textOf(secret['type'])]?.(data, secret, errors);
  return errors;
}

type TypeCheck = (data: JsonObject, secret: JsonObject, errors: FieldError[]) => void;

const has = (data: JsonObject, key: string): boolean => Object.hasOwn(data, key);

const jsonIn =
  (key: string): TypeCheck =>
  (data, _secret, errors) => {
    if (!has(data, key)) errors.push(required(`data[${key}]`));
    else {
      const text = fromBase64(textOf(data[key]));
      if (isJson(text)) return;
      errors.push(invalid(`data[${key}]`, '<secret contents redacted>', jsonSyntaxError(text)));
    }
  };

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

const all =
  (...keys: readonly string[]): TypeCheck =>
  (data, _secret, errors) => {
    for (const key of keys) if (!has(data, key)) errors.push(required(`data[${key}]`));
  };

const accountAnnotation = 'kubernetes.io/service-account.name';

const byType: Readonly<Record<string, TypeCheck>> = {
  'kubernetes.io/service-account-token': (_data, secret, errors) => {
    if ((annotationsOf(secret)[accountAnnotation] ?? '') === '') {
      errors.push(required(`metadata.annotations[${accountAnnotation}]`));
    }
  },
  'kubernetes.io/dockercfg': jsonIn('.dockercfg'),
  'kubernetes.io/dockerconfigjson': jsonIn('.dockerconfigjson'),
  'kubernetes.io/basic-auth': (data, secret, errors) => {
    if (!has(data, 'username') && !has(data, 'password')) all('username', 'password')(data, secret, errors);
  },
  'kubernetes.io/ssh-auth': all('ssh-privatekey'),
  'kubernetes.io/tls': all('tls.crt', 'tls.key'),
};

function checkUpdate(secret: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (secret['type'] !== old['type']) errors.push(invalid('type', secret['type'], 'field is immutable'));
  errors.push(...checkFrozen(secret, old, ['data']));
  return [...errors, ...check(secret)];
}

export const secretRules: KindRules = kindRules({
  defaults,
  validateCreate: check,
  validateUpdate: checkUpdate,
  metaOnUpdate: 'create-and-update',
  selectableFields: { type: textField('type') },
});
