import { isObject, textAt, type JsonObject } from '#base/json.ts';
import { invalid, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { checkConfigKey, checkEnvName, checkQualifiedName } from '#kube/names.ts';
import { checkItems, checkRows, complain, named, needed, neededName, type FieldRow } from './checks.ts';

export function checkEnvironment(container: JsonObject, path: string, errors: FieldError[]): void {
  if (container['env'] !== undefined) checkItems(container['env'], `${path}.env`, checkVariable, errors);
  if (container['envFrom'] !== undefined)
    checkItems(container['envFrom'], `${path}.envFrom`, checkVariables, errors);
}

const keyRows: readonly FieldRow[] = [
  ['name', needed],
  ['key', neededName(checkConfigKey)],
];

function checkVariable(variable: JsonObject, path: string, errors: FieldError[]): void {
  neededName(checkEnvName)(variable['name'], `${path}.name`, errors);
  const source = variable['valueFrom'];
  if (isObject(source)) checkSource(variable, source, `${path}.valueFrom`, errors);
}

function checkSource(variable: JsonObject, source: JsonObject, path: string, errors: FieldError[]): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  if (isObject(fieldRef)) checkFieldRef(fieldRef, `${path}.fieldRef`, environmentFields, errors);
  if (isObject(resourceFieldRef))
    needed(resourceFieldRef['resource'], `${path}.resourceFieldRef.resource`, errors);
  if (isObject(configMapKeyRef)) checkRows(configMapKeyRef, `${path}.configMapKeyRef`, keyRows, errors);
  if (isObject(secretKeyRef)) checkRows(secretKeyRef, `${path}.secretKeyRef`, keyRows, errors);
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter(isObject).length;
  const value = textAt(variable, 'value') ?? '';
  if (count === 0) {
    const text = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    errors.push(invalid(path, '', text));
  } else if (value !== '') {
    errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  } else if (count > 1) {
    errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
  }
}

const environmentFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** What a downward API file may show. */
export const fileFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
const knownFields = new Set([...environmentFields, ...fileFields]);
const subscripted = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/;

export function checkFieldRef(
  ref: JsonObject,
  path: string,
  allowed: readonly string[],
  errors: FieldError[],
): void {
  const field = `${path}.fieldPath`;
  const text = textAt(ref, 'fieldPath') ?? '';
  if (text === '') {
    errors.push(required(field));
    return;
  }
  const part = subscripted.exec(text);
  if (part !== null) {
    const key = part[1] === 'metadata.annotations' ? (part[2] ?? '').toLowerCase() : (part[2] ?? '');
    complain(part[2] ?? '', path, checkQualifiedName(key), errors);
  } else if (!knownFields.has(text)) {
    errors.push(invalid(field, text, `error converting fieldPath: field label not supported: ${text}`));
  } else if (!allowed.includes(text)) {
    errors.push(notSupported(field, text, allowed));
  }
}

function checkVariables(source: JsonObject, path: string, errors: FieldError[]): void {
  named(checkEnvName)(source['prefix'], `${path}.prefix`, errors);
  const kinds = ['configMapRef', 'secretRef'].filter((kind) => isObject(source[kind]));
  for (const kind of kinds) needed(textAt(source, kind, 'name'), `${path}.${kind}.name`, errors);
  if (kinds.length === 0)
    errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
  if (kinds.length > 1)
    errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
}
