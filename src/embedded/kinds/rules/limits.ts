import { isObject, objectAt, type JsonObject } from '#base/json.ts';
import { checkItems, needed, type ItemCheck } from './checks.ts';
import type { FieldError } from '#kube/field-error.ts';
import { editField, editItems, specOf, withField, withMissing } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { checkAmount } from './resource-checks.ts';
import { statusRules, zeroStatus } from './status-rules.ts';

/** A container's default limit is its maximum, its default request the limit or the minimum. */
function defaultLimit(item: JsonObject): JsonObject {
  if (item['type'] !== 'Container') return item;
  const part = (key: string): JsonObject => (isObject(item[key]) ? item[key] : {});
  const limits = withMissing(part('default'), part('max'));
  const requests = withMissing(withMissing(part('defaultRequest'), limits), part('min'));
  const withLimits = Object.keys(limits).length === 0 ? item : withField(item, 'default', limits);
  return Object.keys(requests).length === 0 ? withLimits : withField(withLimits, 'defaultRequest', requests);
}

const checkLimit: ItemCheck = (item, path, errors) => {
  needed(item['type'], `${path}.type`, errors);
};

function checkRange(range: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  checkItems(specOf(range)['limits'], 'spec.limits', checkLimit, errors);
  return errors;
}

export const limitRangeRules: KindRules = kindRules({
  defaults: (range) => editField(range, 'spec', (spec) => editItems(spec, 'limits', defaultLimit)),
  validateCreate: checkRange,
  validateUpdate: checkRange,
  allowCreateOnUpdate: true,
  metaOnUpdate: 'create-and-update',
});

function checkQuota(quota: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const hard = objectAt(quota, 'spec', 'hard') ?? {};
  for (const name in hard) checkAmount(hard[name], `spec.hard[${name}]`, errors);
  return errors;
}

export const resourceQuotaRules: KindRules = kindRules({
  ...statusRules(zeroStatus('io.k8s.api.core.v1.ResourceQuotaStatus')),
  validateCreate: checkQuota,
  validateUpdate: checkQuota,
});
