import { isObject, objectAt, type JsonObject } from '#base/json.ts';
import { forbidden, invalid, notSupported, type FieldError } from '#kube/field-error.ts';
import { checkRows, notNegative, type FieldRow } from './checks.ts';
import { editMember, specOf, statusFieldOf, withField, withMissing } from '#base/json-edit.ts';
import { goIntOrString, invalidAs } from '#kube/metadata/go-values.ts';
import { atMostHundredPercent, countOrPercent, isNone } from './int-or-percent.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { metaOf } from '#kube/object.ts';
import { defaultTemplate } from './pod-defaults.ts';
import { statusRules, zeroStatus } from './status-rules.ts';
import { checkLastingTemplate, checkSameSelector, checkSelector } from './template-checks.ts';
import { checkCounts } from './workload-status.ts';

const specDefaults: JsonObject = { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 };
const rollingDefaults: JsonObject = { maxUnavailable: '25%', maxSurge: '25%' };

const defaultStrategy = (strategy: JsonObject): JsonObject => {
  const typed = withMissing(strategy, { type: 'RollingUpdate' });
  if (typed['type'] !== 'RollingUpdate') return typed;
  return editMember(typed, 'rollingUpdate', (rolling) => withMissing(rolling, rollingDefaults));
};

const defaultSpec = (spec: JsonObject): JsonObject =>
  editMember(
    editMember(withMissing(spec, specDefaults), 'template', defaultTemplate),
    'strategy',
    defaultStrategy,
  );

const lastRows: readonly FieldRow[] = [
  ['minReadySeconds', notNegative],
  ['revisionHistoryLimit', notNegative],
  ['progressDeadlineSeconds', notNegative],
];

const selectorNeed = { emptyIsInvalidFor: 'deployment', unclear: 'invalid label selector' };

function check(deployment: JsonObject): FieldError[] {
  const spec = specOf(deployment);
  const errors: FieldError[] = [];
  notNegative(spec['replicas'], 'spec.replicas', errors);
  const selector = checkSelector(spec['selector'], selectorNeed, errors);
  if (selector !== undefined)
    checkLastingTemplate(objectAt(spec, 'template') ?? {}, selector, 'ReplicaSet', errors);
  checkStrategy(objectAt(spec, 'strategy') ?? {}, errors);
  checkRows(spec, 'spec', lastRows, errors);
  const deadline = spec['progressDeadlineSeconds'];
  if (typeof deadline === 'number' && deadline <= Number(spec['minReadySeconds'] ?? 0)) {
    errors.push(invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  }
  return errors;
}

function checkStrategy(strategy: JsonObject, errors: FieldError[]): void {
  const field = 'spec.strategy';
  const rolling = strategy['rollingUpdate'];
  switch (strategy['type']) {
    case 'Recreate':
      if (isObject(rolling)) {
        const text = "may not be specified when strategy `type` is 'Recreate'";
        errors.push(forbidden(`${field}.rollingUpdate`, text));
      }
      return;
    case 'RollingUpdate':
      if (isObject(rolling)) checkRolling(rolling, `${field}.rollingUpdate`, errors);
      return;
    default:
      errors.push(notSupported(field, strategy, ['Recreate', 'RollingUpdate']));
  }
}

function checkRolling(rolling: JsonObject, path: string, errors: FieldError[]): void {
  const { maxUnavailable, maxSurge } = rolling;
  countOrPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
  countOrPercent(maxSurge, `${path}.maxSurge`, errors);
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    const text = 'may not be 0 when `maxSurge` is 0';
    errors.push(invalidAs(`${path}.maxUnavailable`, goIntOrString(maxUnavailable), text));
  }
  atMostHundredPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
}

const status = statusRules(zeroStatus('io.k8s.api.apps.v1.DeploymentStatus'));

export const deploymentRules: KindRules = kindRules({
  ...status,
  defaults: (deployment) => editMember(deployment, 'spec', defaultSpec),
  prepareStatusUpdate: (deployment, old) => {
    const meta = withField(metaOf(deployment), 'labels', metaOf(old)['labels']);
    return withField(withField(deployment, 'spec', old['spec']), 'metadata', meta);
  },
  validateCreate: check,
  validateUpdate: (deployment, old) =>
    deployment['spec'] === old['spec'] ? [] : [...check(deployment), ...checkSameSelector(deployment, old)],
  validateStatusUpdate: (deployment) =>
    checkCounts(statusFieldOf(deployment), ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
  generation: 'spec-and-annotations',
});
