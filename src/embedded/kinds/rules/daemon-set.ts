import { isObject, objectAt, type JsonObject } from '#base/json.ts';
import { notSupported, required, type FieldError } from '#kube/field-error.ts';
import { annotationsOf, withMeta } from '#kube/object.ts';
import { checkRows, notNegative, type FieldRow } from './checks.ts';
import { differs, editField, editMember, keeping, specOf, withMissing } from '#base/json-edit.ts';
import { goIntOrString, invalidAs } from '#kube/metadata/go-values.ts';
import { atMostHundredPercent, countOrPercent, isNone } from './int-or-percent.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { defaultTemplate } from './pod-defaults.ts';
import { statusRules, zeroStatus } from './status-rules.ts';
import {
  checkLasting,
  checkSameSelector,
  checkSelected,
  checkSelector,
  checkTemplate,
} from './template-checks.ts';

const rollingDefaults: JsonObject = { maxUnavailable: 1, maxSurge: 0 };

function defaultSpec(given: JsonObject): JsonObject {
  const spec = withMissing(editMember(given, 'template', defaultTemplate), { revisionHistoryLimit: 10 });
  return editMember(spec, 'updateStrategy', (strategy) => {
    const typed = withMissing(strategy, { type: 'RollingUpdate' });
    if (typed['type'] !== 'RollingUpdate') return typed;
    return editMember(typed, 'rollingUpdate', (rolling) => withMissing(rolling, rollingDefaults));
  });
}

const lastRows: readonly FieldRow[] = [
  ['minReadySeconds', notNegative],
  ['revisionHistoryLimit', notNegative],
];

const selectorNeed = { emptyIsInvalidFor: 'daemonset', unclear: undefined, optional: true };

function check(set: JsonObject): FieldError[] {
  const spec = specOf(set);
  const errors: FieldError[] = [];
  const selector = checkSelector(spec['selector'], selectorNeed, errors);
  const template = objectAt(spec, 'template') ?? {};
  if (selector !== undefined) checkSelected(selector, template, 'spec.template', errors);
  checkTemplate(template, 'spec.template', errors);
  checkLasting(template, 'DaemonSet', errors);
  checkRows(spec, 'spec', lastRows, errors);
  checkStrategy(objectAt(spec, 'updateStrategy') ?? {}, errors);
  return errors;
}

function checkStrategy(strategy: JsonObject, errors: FieldError[]): void {
  const field = 'spec.updateStrategy';
  const type = strategy['type'];
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    errors.push(notSupported(field, strategy, ['RollingUpdate', 'OnDelete']));
    return;
  }
  const rolling = strategy['rollingUpdate'];
  if (isObject(rolling)) checkRolling(rolling, `${field}.rollingUpdate`, errors);
  else errors.push(required(`${field}.rollingUpdate`));
}

function checkRolling({ maxUnavailable, maxSurge }: JsonObject, path: string, errors: FieldError[]): void {
  countOrPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
  atMostHundredPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
  countOrPercent(maxSurge, `${path}.maxSurge`, errors);
  atMostHundredPercent(maxSurge, `${path}.maxSurge`, errors);
  if (!isNone(maxUnavailable) && !isNone(maxSurge)) {
    const text = 'may not be set when maxUnavailable is non-zero';
    errors.push(invalidAs(`${path}.maxSurge`, goIntOrString(maxSurge), text));
  }
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    errors.push(required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
}

const counts: readonly FieldRow[] = [
  ['currentNumberScheduled', notNegative],
  ['numberMisscheduled', notNegative],
  ['desiredNumberScheduled', notNegative],
  ['numberReady', notNegative],
  ['observedGeneration', notNegative],
  ['updatedNumberScheduled', notNegative],
  ['numberAvailable', notNegative],
  ['numberUnavailable', notNegative],
];

function checkStatus(set: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  checkRows(objectAt(set, 'status') ?? {}, 'status', counts, errors);
  return errors;
}

function checkUpdate(set: JsonObject, old: JsonObject): FieldError[] {
  if (set['spec'] === old['spec']) return [];
  return [...check(set), ...check(set), ...checkSameSelector(set, old)];
}

const templateGeneration = 'deprecated.daemonset.template.generation';

const countOf = (set: JsonObject): number => Number(annotationsOf(set)[templateGeneration] ?? 0);

const withCount = (set: JsonObject, count: number): JsonObject =>
  countOf(set) === count
    ? set
    : withMeta(set, { annotations: { ...annotationsOf(set), [templateGeneration]: String(count) } });

const status = statusRules(zeroStatus('io.k8s.api.apps.v1.DaemonSetStatus'));

/** The changes of the template are counted in an annotation, as they were before revisions existed. */
function prepareUpdate(set: JsonObject, old: JsonObject): JsonObject {
  const changed = differs(specOf(set), specOf(old), 'template');
  return withCount(keeping(set, old, ['status']), countOf(old) + (changed ? 1 : 0));
}

export const daemonSetRules: KindRules = kindRules({
  ...status,
  prepareCreate: (set) => withCount(status.prepareCreate?.(set) ?? set, Math.max(countOf(set), 1)),
  prepareUpdate,
  defaults: (set) => editField(set, 'spec', defaultSpec),
  validateCreate: check,
  validateUpdate: checkUpdate,
  validateStatusUpdate: checkStatus,
  generation: 'spec',
  metaOnUpdate: 'create-and-update',
});
