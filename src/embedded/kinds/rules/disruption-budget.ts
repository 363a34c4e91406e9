import type { JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { optionalWord } from './checks.ts';
import { specOf } from '#base/json-edit.ts';
import { atMostHundredPercent, countOrPercent } from './int-or-percent.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { checkLabelSelector } from './selector-checks.ts';
import { statusRules, zeroStatus } from './status-rules.ts';

const eviction = optionalWord('AlwaysAllow', 'IfHealthyBudget');

function check(budget: JsonObject): FieldError[] {
  const spec = specOf(budget);
  const errors: FieldError[] = [];
  if (spec['minAvailable'] !== undefined && spec['maxUnavailable'] !== undefined) {
    errors.push(invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const key of ['minAvailable', 'maxUnavailable']) {
    countOrPercent(spec[key], `spec.${key}`, errors);
    atMostHundredPercent(spec[key], `spec.${key}`, errors);
  }
  checkLabelSelector(spec['selector'], 'spec.selector', errors);
  eviction(spec['unhealthyPodEvictionPolicy'], 'spec.unhealthyPodEvictionPolicy', errors);
  return errors;
}

export const disruptionBudgetRules: KindRules = kindRules({
  ...statusRules(zeroStatus('io.k8s.api.policy.v1.PodDisruptionBudgetStatus')),
  validateCreate: check,
  validateUpdate: check,
  generation: 'spec',
  allowUnconditionalUpdate: false,
  metaOnUpdate: 'none',
});
