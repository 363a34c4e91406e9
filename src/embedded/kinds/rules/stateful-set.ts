import { equalJson, isObject, objectAt, without, type JsonObject } from '#base/json.ts';
import { forbidden, invalid, required, type FieldError } from '#kube/field-error.ts';
import { checkRows, neededWord, notNegative, type FieldRow } from './checks.ts';
import {
  editField,
  editItems,
  editMember,
  keeping,
  specOf,
  statusFieldOf,
  textOf,
  withMissing,
} from '#base/json-edit.ts';
import { goIntOrString, invalidAs } from '#kube/metadata/go-values.ts';
import { atMostHundredPercent, countOrPercent, isNone } from './int-or-percent.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { checkMaps } from '#kube/metadata/metadata.ts';
import { defaultClaim } from './persistent-volume-claim.ts';
import { defaultTemplate } from './pod-defaults.ts';
import { statusRules, zeroStatus } from './status-rules.ts';
import { checkLasting, checkSelected, checkSelector } from './template-checks.ts';
import { checkCounts } from './workload-status.ts';

const specDefaults: JsonObject = {
  replicas: 1,
  podManagementPolicy: 'OrderedReady',
  revisionHistoryLimit: 10,
};
const retentionDefaults: JsonObject = { whenDeleted: 'Retain', whenScaled: 'Retain' };

function defaultSpec(given: JsonObject): JsonObject {
  let spec = withMissing(given, specDefaults);
  spec = editMember(spec, 'updateStrategy', defaultStrategy);
  spec = editMember(spec, 'persistentVolumeClaimRetentionPolicy', (policy) =>
    withMissing(policy, retentionDefaults),
  );
  spec = editMember(spec, 'template', defaultTemplate);
  return editItems(spec, 'volumeClaimTemplates', defaultClaimTemplate);
}

function defaultStrategy(strategy: JsonObject): JsonObject {
  const typed = withMissing(strategy, { type: 'RollingUpdate' });
  if (typed['type'] !== 'RollingUpdate') return typed;
  return editMember(typed, 'rollingUpdate', (rolling) => withMissing(rolling, { partition: 0 }));
}

function defaultClaimTemplate(claim: JsonObject): JsonObject {
  const kinded = withMissing(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' });
  return editMember(defaultClaim(kinded), 'metadata', (meta) =>
    withMissing(meta, { creationTimestamp: null }),
  );
}

const countRows: readonly FieldRow[] = [
  ['replicas', notNegative],
  ['minReadySeconds', notNegative],
];
const retentionRows: readonly FieldRow[] = [
  ['whenDeleted', neededWord('Retain', 'Delete')],
  ['whenScaled', neededWord('Retain', 'Delete')],
];
const selectorNeed = { emptyIsInvalidFor: 'statefulset', unclear: '' };

function check(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  const errors: FieldError[] = [];
  const policy = textOf(spec['podManagementPolicy']);
  if (policy === '') errors.push(required('spec.podManagementPolicy'));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.push(invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  checkStrategy(objectAt(spec, 'updateStrategy') ?? {}, errors);
  const retention = objectAt(spec, 'persistentVolumeClaimRetentionPolicy');
  if (retention !== undefined) {
    checkRows(retention, 'spec.persistentVolumeClaimRetentionPolicy', retentionRows, errors);
  }
  checkRows(spec, 'spec', countRows, errors);
  notNegative(objectAt(spec, 'ordinals')?.['start'], 'spec.ordinals.start', errors);
  const selector = checkSelector(spec['selector'], selectorNeed, errors);
  const template = objectAt(spec, 'template') ?? {};
  if (selector !== undefined) {
    // The pod spec is not checked: its mounts may name claims that only the pods will have.
    checkSelected(selector, template, 'spec.template', errors);
    checkMaps(objectAt(template, 'metadata') ?? {}, errors, 'spec.template');
  }
  checkLasting(template, 'StatefulSet', errors);
  return errors;
}

function checkStrategy(strategy: JsonObject, errors: FieldError[]): void {
  const field = 'spec.updateStrategy';
  const rolling = strategy['rollingUpdate'];
  switch (strategy['type']) {
    case undefined:
      errors.push(required(field));
      return;
    case 'OnDelete':
      if (isObject(rolling)) {
        errors.push(
          invalid(`${field}.rollingUpdate`, rolling, "only allowed for updateStrategy 'RollingUpdate'"),
        );
      }
      return;
    case 'RollingUpdate':
      if (isObject(rolling)) checkRolling(rolling, `${field}.rollingUpdate`, errors);
      return;
    default:
      errors.push(invalid(field, strategy, "must be 'RollingUpdate' or 'OnDelete'"));
  }
}

function checkRolling(rolling: JsonObject, path: string, errors: FieldError[]): void {
  notNegative(rolling['partition'], `${path}.partition`, errors);
  const most = rolling['maxUnavailable'];
  countOrPercent(most, `${path}.maxUnavailable`, errors);
  if (most !== undefined && isNone(most)) {
    errors.push(invalidAs(`${path}.maxUnavailable`, goIntOrString(most), 'cannot be 0'));
  }
  atMostHundredPercent(most, `${path}.maxUnavailable`, errors);
}

const mayChange = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];
const onlyThose =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
  "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/** Claim templates are compared without the status that the server invents for them. */
const comparable = (spec: JsonObject): JsonObject =>
  editItems(spec, 'volumeClaimTemplates', (claim) => without(claim, 'status'));

function checkUpdate(set: JsonObject, old: JsonObject): FieldError[] {
  if (set['spec'] === old['spec']) return [];
  const errors = check(set);
  const rest = keeping(specOf(set), specOf(old), mayChange);
  if (!equalJson(comparable(rest), comparable(specOf(old)))) errors.push(forbidden('spec', onlyThose));
  return errors;
}

const counts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];

export const statefulSetRules: KindRules = kindRules({
  ...statusRules(zeroStatus('io.k8s.api.apps.v1.StatefulSetStatus')),
  defaults: (set) => editField(set, 'spec', defaultSpec),
  validateCreate: check,
  validateUpdate: checkUpdate,
  validateStatusUpdate: (set) => checkCounts(statusFieldOf(set), counts, 'status.readyReplicas'),
  generation: 'spec',
  nameRule: 'label',
});
