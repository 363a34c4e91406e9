import {
  equalJson,
  isArray,
  isNumber,
  isObject,
  listAt,
  without,
  type Json,
  type JsonObject,
} from '#base/json.ts';
import { forbidden, invalid, required, type FieldError } from '#kube/field-error.ts';
import { between } from '#kube/names.ts';
import { describeChanges } from './changed-fields.ts';
import { specOf, textOf, withField } from '#base/json-edit.ts';
import { mutableWhileGated } from './pod-gated.ts';

const mayChange =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** The window through which a pod's spec may change. */
export function checkPodUpdate(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, oldSpec] = [specOf(pod), specOf(old)];
  const errors: FieldError[] = [];
  if (spec === oldSpec) return errors;
  for (const key of ['containers', 'initContainers']) {
    if (!checkImages(listAt(spec, key), listAt(oldSpec, key), `spec.${key}`, errors)) return errors;
  }
  if (!checkDeadline(spec['activeDeadlineSeconds'], oldSpec['activeDeadlineSeconds'], errors)) return errors;
  checkTolerations(listAt(spec, 'tolerations'), listAt(oldSpec, 'tolerations'), errors);
  checkGates(listAt(spec, 'schedulingGates'), listAt(oldSpec, 'schedulingGates'), errors);
  const rest = withoutAllowed(spec, oldSpec);
  const compared =
    listAt(oldSpec, 'schedulingGates').length > 0 ? mutableWhileGated(rest, oldSpec, errors) : rest;
  if (!equalJson(compared, oldSpec)) {
    errors.push(forbidden('spec', `${mayChange}\n${describeChanges(oldSpec, compared)}`));
  }
  return errors;
}

/** False when comparing further makes no sense. */
function checkImages(
  list: readonly Json[],
  old: readonly Json[],
  path: string,
  errors: FieldError[],
): boolean {
  if (list.length !== old.length) {
    errors.push(forbidden(path, 'pod updates may not add or remove containers'));
    return false;
  }
  list.forEach((container, i) => {
    const image = isObject(container) ? textOf(container['image']) : '';
    const field = `${path}[${i}].image`;
    if (image === '') errors.push(required(field));
    else if (image !== image.trim()) {
      errors.push(invalid(field, image, 'must not have leading or trailing whitespace'));
    }
  });
  return true;
}

function checkDeadline(deadline: Json | undefined, old: Json | undefined, errors: FieldError[]): boolean {
  const field = 'spec.activeDeadlineSeconds';
  if (!isNumber(deadline)) {
    if (isNumber(old)) {
      errors.push(invalid(field, 'null', 'must not update from a positive integer to nil value'));
    }
    return true;
  }
  if (deadline < 0 || deadline > 2_147_483_647)
    errors.push(invalid(field, deadline, between(0, 2_147_483_647)));
  else if (isNumber(old) && deadline > old) {
    errors.push(invalid(field, deadline, 'must be less than or equal to previous value'));
  } else return true;
  return false;
}

const exceptSeconds = (toleration: Json): Json =>
  isObject(toleration) ? without(toleration, 'tolerationSeconds') : toleration;

/** Tolerations may be added, and how long an existing one holds may change. */
function checkTolerations(list: readonly Json[], old: readonly Json[], errors: FieldError[]): void {
  if (list === old) return;
  const kept = old.every((each) => list.some((now) => equalJson(exceptSeconds(each), exceptSeconds(now))));
  if (kept) return;
  errors.push(
    forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
  );
}

function checkGates(gates: readonly Json[], old: readonly Json[], errors: FieldError[]): void {
  const names = new Set(old.map(gateName));
  gates.forEach((gate, i) => {
    const name = gateName(gate);
    if (names.has(name)) return;
    const text = `only deletion is allowed, but found new scheduling gate '${name}'`;
    errors.push(forbidden(`spec.schedulingGates[${i}].name`, text));
  });
}

const gateName = (gate: Json): string => (isObject(gate) ? textOf(gate['name']) : '');

/** The new spec with everything that may change set back to what it was. */
function withoutAllowed(spec: JsonObject, old: JsonObject): JsonObject {
  let result = spec;
  for (const key of ['containers', 'initContainers'])
    result = withField(result, key, oldImages(spec[key], old[key]));
  for (const key of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) {
    result = withField(result, key, old[key]);
  }
  const grace = old['terminationGracePeriodSeconds'];
  if (isNumber(grace) && grace < 0 && spec['terminationGracePeriodSeconds'] === 1) {
    result = withField(result, 'terminationGracePeriodSeconds', grace);
  }
  return result;
}

function oldImages(list: Json | undefined, old: Json | undefined): Json | undefined {
  if (list === old || !isArray(list) || !isArray(old)) return list;
  return list.map((container, i) => {
    const before = old[i];
    return isObject(container) && isObject(before)
      ? withField(container, 'image', before['image'])
      : container;
  });
}
