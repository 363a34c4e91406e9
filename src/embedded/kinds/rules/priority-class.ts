import { type JsonObject } from '#base/json.ts';
import { forbidden, invalid, type FieldError } from '#kube/field-error.ts';
import { nameOf } from '#kube/object.ts';
import { optionalWord } from './checks.ts';
import { withMissing } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

const highestUserPriority = 1_000_000_000;

/** The classes that every cluster has. */
const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

function check(priority: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const name = nameOf(priority);
  const value = Number(priority['value'] ?? 0);
  if (name.startsWith('system-')) {
    if (systemPriorities[name] !== value) {
      const text = "priority class names with 'system-' prefix are reserved for system use only";
      errors.push(forbidden('metadata.name', text));
    }
  } else if (value > highestUserPriority) {
    const text = `maximum allowed value of a user defined priority is ${highestUserPriority}`;
    errors.push(forbidden('value', text));
  }
  optionalWord('Never', 'PreemptLowerPriority')(priority['preemptionPolicy'], 'preemptionPolicy', errors);
  return errors;
}

function checkUpdate(priority: JsonObject, old: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  if (Number(priority['value'] ?? 0) !== Number(old['value'] ?? 0)) {
    errors.push(forbidden('value', 'may not be changed in an update.'));
  }
  if (priority['preemptionPolicy'] !== old['preemptionPolicy']) {
    errors.push(invalid('preemptionPolicy', priority['preemptionPolicy'], 'field is immutable'));
  }
  return errors;
}

export const priorityClassRules: KindRules = kindRules({
  defaults: (priority) => withMissing(priority, { preemptionPolicy: 'PreemptLowerPriority' }),
  validateCreate: check,
  validateUpdate: checkUpdate,
  generation: 'fixed',
});
