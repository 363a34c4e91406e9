import { objectAt, type JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { apiVersionOf } from '#kube/object.ts';
import { checkRows, needed, type FieldRow } from './checks.ts';
import { editField, specOf, withMissing } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { statusRules, zeroOf } from './status-rules.ts';

const isOld = (autoscaler: JsonObject): boolean => apiVersionOf(autoscaler) === 'autoscaling/v1';

const cpu: JsonObject = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

/** One pod at least; without a metric, 80 % of the requested CPU. */
function defaults(autoscaler: JsonObject): JsonObject {
  const measure: JsonObject = isOld(autoscaler) ? { targetCPUUtilizationPercentage: 80 } : { metrics: [cpu] };
  return editField(autoscaler, 'spec', (spec) => withMissing(withMissing(spec, { minReplicas: 1 }), measure));
}

const targetRows: readonly FieldRow[] = [
  ['kind', needed],
  ['name', needed],
];

function check(autoscaler: JsonObject): FieldError[] {
  const spec = specOf(autoscaler);
  const errors: FieldError[] = [];
  const [least, most] = [Number(spec['minReplicas'] ?? 1), Number(spec['maxReplicas'] ?? 0)];
  if (least < 1) errors.push(invalid('spec.minReplicas', least, 'must be greater than or equal to 1'));
  if (most < 1) errors.push(invalid('spec.maxReplicas', most, 'must be greater than 0'));
  if (most < least) {
    errors.push(invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
  }
  checkRows(objectAt(spec, 'scaleTargetRef') ?? {}, 'spec.scaleTargetRef', targetRows, errors);
  return errors;
}

const initial = (autoscaler: JsonObject): JsonObject =>
  zeroOf(`io.k8s.api.autoscaling.${isOld(autoscaler) ? 'v1' : 'v2'}.HorizontalPodAutoscalerStatus`);

export const autoscalerRules: KindRules = kindRules({
  ...statusRules(() => ({})),
  defaults,
  prepareCreate: (autoscaler) => ({ ...autoscaler, status: initial(autoscaler) }),
  validateCreate: check,
  validateUpdate: check,
});
