import { isObject, listAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { forbidden, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { labelSelectorOf, matchesLabels, SelectorError, type LabelSelector } from '#kube/label-selector.ts';
import { stringMap } from '#kube/object.ts';
import { textOf } from '#base/json-edit.ts';
import { goLabelSelector, goStringMap, invalidAs } from '#kube/metadata/go-values.ts';
import { checkMaps } from '#kube/metadata/metadata.ts';
import { checkPodSpec } from './pod-checks.ts';
import { checkLabelSelector, isEmptySelector } from './selector-checks.ts';

/** A pod template at any path. */
export function checkTemplate(template: JsonObject, path: string, errors: FieldError[]): void {
  checkMaps(objectAt(template, 'metadata') ?? {}, errors, `${path}.metadata`);
  const spec = objectAt(template, 'spec') ?? {};
  checkPodSpec(spec, `${path}.spec`, errors);
  if (listAt(spec, 'ephemeralContainers').length > 0) {
    errors.push(
      forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'),
    );
  }
}

export type SelectorNeed = {
  /** What the complaint about an empty selector calls the kind; undefined when empty is fine. */
  readonly emptyIsInvalidFor: string | undefined;
  /** The message for an invalid selector; undefined when there is none. */
  readonly unclear: string | undefined;
  /** For a daemon set without a selector there is only the error that it selects nothing. */
  readonly optional?: boolean;
};

/** A workload's selector. Returns the parsed selector, or undefined when it is invalid. */
export function checkSelector(
  selector: Json | undefined,
  { emptyIsInvalidFor, unclear, optional = false }: SelectorNeed,
  errors: FieldError[],
): LabelSelector | 'nothing' | undefined {
  const field = 'spec.selector';
  if (!isObject(selector)) {
    if (!optional) errors.push(required(field));
    return 'nothing';
  }
  checkLabelSelector(selector, field, errors);
  if (emptyIsInvalidFor !== undefined && isEmptySelector(selector)) {
    errors.push(
      invalidAs(field, goLabelSelector(selector), `empty selector is invalid for ${emptyIsInvalidFor}`),
    );
  }
  const understood = understand(selector);
  if (understood === undefined && unclear !== undefined) {
    errors.push(invalidAs(field, goLabelSelector(selector), unclear));
  }
  return understood;
}

function understand(selector: JsonObject): LabelSelector | undefined {
  const needsValues = (each: Json): boolean =>
    isObject(each) &&
    (each['operator'] === 'In' || each['operator'] === 'NotIn') &&
    listAt(each, 'values').length === 0;
  if (listAt(selector, 'matchExpressions').some(needsValues)) return undefined;
  try {
    return labelSelectorOf(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** The template's labels must be what the workload selects. */
export function checkSelected(
  selector: LabelSelector | 'nothing',
  template: JsonObject,
  path: string,
  errors: FieldError[],
): void {
  const labels = objectAt(template, 'metadata', 'labels');
  if (selector !== 'nothing' && matchesLabels(selector, stringMap(labels))) return;
  const text = '`selector` does not match template `labels`';
  errors.push(invalidAs(`${path}.metadata.labels`, goStringMap(labels), text));
}

/** The template of a workload whose pods always run. */
export function checkLastingTemplate(
  template: JsonObject,
  selector: LabelSelector | 'nothing',
  owner: string,
  errors: FieldError[],
): void {
  const path = 'spec.template';
  checkSelected(selector, template, path, errors);
  checkTemplate(template, path, errors);
  checkLasting(template, owner, errors);
}

/** Pods of a lasting workload are always restarted and never end by themselves. */
export function checkLasting(template: JsonObject, owner: string, errors: FieldError[]): void {
  const path = 'spec.template.spec';
  const spec = objectAt(template, 'spec') ?? {};
  const policy = textOf(spec['restartPolicy']);
  if (policy !== 'Always') errors.push(notSupported(`${path}.restartPolicy`, policy, ['Always']));
  if (spec['activeDeadlineSeconds'] !== undefined) {
    const text = `activeDeadlineSeconds in ${owner} is not Supported`;
    errors.push(forbidden(`${path}.activeDeadlineSeconds`, text));
  }
}

/** An immutable selector, quoted as the server quotes it. */
export function checkSameSelector(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const selector = objectAt(object, 'spec', 'selector');
  const before = objectAt(old, 'spec', 'selector');
  if (goSelector(selector) === goSelector(before)) return [];
  return [invalidAs('spec.selector', goSelector(selector), 'field is immutable')];
}

const goSelector = (selector: JsonObject | undefined): string =>
  selector === undefined ? '"null"' : goLabelSelector(selector);
