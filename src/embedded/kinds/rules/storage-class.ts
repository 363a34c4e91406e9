import { equalJson, type JsonObject } from '#base/json.ts';
import { forbidden, invalid, type FieldError } from '#kube/field-error.ts';
import { checkQualifiedName } from '#kube/names.ts';
import { complain, needed, optionalWord } from './checks.ts';
import { textOf, withMissing } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

const classDefaults: JsonObject = { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' };

function check(storage: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const provisioner = textOf(storage['provisioner']);
  needed(provisioner, 'provisioner', errors);
  if (provisioner !== '') {
    complain(provisioner, 'provisioner', checkQualifiedName(provisioner.toLowerCase()), errors);
  }
  optionalWord('Delete', 'Retain')(storage['reclaimPolicy'], 'reclaimPolicy', errors);
  optionalWord('Immediate', 'WaitForFirstConsumer')(
    storage['volumeBindingMode'],
    'volumeBindingMode',
    errors,
  );
  return errors;
}

const forbiddenChanges = ['parameters', 'provisioner', 'reclaimPolicy'];

function checkUpdate(storage: JsonObject, old: JsonObject): FieldError[] {
  const errors = check(storage);
  for (const key of forbiddenChanges) {
    if (!equalJson(storage[key], old[key])) errors.push(forbidden(key, `updates to ${key} are forbidden.`));
  }
  if (storage['volumeBindingMode'] !== old['volumeBindingMode']) {
    errors.push(invalid('volumeBindingMode', storage['volumeBindingMode'], 'field is immutable'));
  }
  return errors;
}

export const storageClassRules: KindRules = kindRules({
  defaults: (storage) => withMissing(storage, classDefaults),
  validateCreate: check,
  validateUpdate: checkUpdate,
  metaOnUpdate: 'create-and-update',
});
