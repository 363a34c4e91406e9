import { objectAt, type JsonObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { metaOf, stringMap } from '#kube/object.ts';
import { labelSelectorOf } from '#kube/label-selector.ts';
import { required } from '#kube/field-error.ts';
import { checkRows, notNegative, type FieldRow } from './checks.ts';
import { editMember, specOf, statusFieldOf, withMissing } from '#base/json-edit.ts';
import { numberField } from './field-values.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { defaultTemplate } from './pod-defaults.ts';
import { statusRules, zeroStatus } from './status-rules.ts';
import { checkLastingTemplate, checkSameSelector, checkSelector } from './template-checks.ts';
import { checkCounts } from './workload-status.ts';

const rows: readonly FieldRow[] = [
  ['replicas', notNegative],
  ['minReadySeconds', notNegative],
];
const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
const checkStatus = (object: JsonObject): FieldError[] => checkCounts(statusFieldOf(object), parts);
const defaultSpec = (spec: JsonObject): JsonObject =>
  editMember(withMissing(spec, { replicas: 1 }), 'template', defaultTemplate);

// kube-apiserver's text is "deployment" here too.
const selectorNeed = { emptyIsInvalidFor: 'deployment', unclear: 'invalid label selector' };

function check(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  const errors: FieldError[] = [];
  checkRows(spec, 'spec', rows, errors);
  const selector = checkSelector(spec['selector'], selectorNeed, errors);
  if (selector !== undefined)
    checkLastingTemplate(objectAt(spec, 'template') ?? {}, selector, 'ReplicaSet', errors);
  return errors;
}

export const replicaSetRules: KindRules = kindRules({
  ...statusRules(zeroStatus('io.k8s.api.apps.v1.ReplicaSetStatus')),
  defaults: (set) => editMember(set, 'spec', defaultSpec),
  validateCreate: check,
  validateUpdate: (set, old) =>
    set['spec'] === old['spec'] ? [] : [...check(set), ...check(set), ...checkSameSelector(set, old)],
  validateStatusUpdate: checkStatus,
  generation: 'spec',
  metaOnUpdate: 'create-and-update',
});

/** Selector and labels of a replication controller default to the labels of its template. */
function defaultController(controller: JsonObject): JsonObject {
  const labels = objectAt(controller, 'spec', 'template', 'metadata', 'labels');
  const withSpec = editMember(controller, 'spec', (spec) =>
    defaultSpec(labels === undefined ? spec : withMissing(spec, { selector: labels })),
  );
  if (labels === undefined || metaOf(withSpec)['labels'] !== undefined) return withSpec;
  return editMember(withSpec, 'metadata', (meta) => ({ ...meta, labels }));
}

function checkController(controller: JsonObject): FieldError[] {
  const spec = specOf(controller);
  const errors: FieldError[] = [];
  checkRows(spec, 'spec', [['minReadySeconds', notNegative]], errors);
  const labels = stringMap(spec['selector']);
  if (Object.keys(labels).length === 0) errors.push(required('spec.selector'));
  notNegative(spec['replicas'], 'spec.replicas', errors);
  const template = objectAt(spec, 'template');
  if (template === undefined) errors.push(required('spec.template'));
  else {
    const selector = labelSelectorOf({ matchLabels: labels });
    checkLastingTemplate(template, selector, 'ReplicationController', errors);
  }
  return errors;
}

export const replicationControllerRules: KindRules = kindRules({
  ...statusRules(zeroStatus('io.k8s.api.core.v1.ReplicationControllerStatus')),
  defaults: defaultController,
  validateCreate: checkController,
  validateUpdate: (controller, old) =>
    controller['spec'] === old['spec'] ? [] : checkController(controller),
  validateStatusUpdate: checkStatus,
  generation: 'spec',
  selectableFields: { 'status.replicas': numberField('status', 'replicas') },
});
