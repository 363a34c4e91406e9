import { at, equalJson, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { notSupported, required, type FieldError } from '#kube/field-error.ts';
import { checkSubdomain } from '#kube/names.ts';
import { annotationsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { approvalAnnotation, approvalOf, isProtectedGroup } from './approval.ts';
import { checkCel } from './check-cel.ts';
import { checkConversion } from './check-conversion.ts';
import { checkNames, checkSpelling } from './check-names.ts';
import { checkStoredVersions } from './check-stored-versions.ts';
import { checkVersions } from './check-versions.ts';
import { isConditionTrue } from './conditions.ts';
import { invalidAt } from './crd-error.ts';

/** What is wrong with a new CustomResourceDefinition, beyond its metadata. Defaults are filled in already. */
export function validateCrd(crd: KubeObject): readonly FieldError[] {
  const spec = objectAt(crd, 'spec') ?? {};
  return [
    ...checkName(crd, spec),
    ...checkSpec(spec),
    ...checkStatusNames(crd),
    ...checkStoredVersions(crd),
    ...checkApproval(crd, undefined),
    ...checkPreserve(spec, undefined),
  ];
}

/** What is wrong with an update of one; what affects stored objects cannot change. */
export function validateCrdUpdate(crd: KubeObject, old: KubeObject): readonly FieldError[] {
  const spec = objectAt(crd, 'spec') ?? {};
  const before = objectAt(old, 'spec') ?? {};
  const fixed = isConditionTrue(old, 'Established')
    ? [['scope'], ['names', 'kind'], ['group'], ['names', 'plural']]
    : [['group'], ['names', 'plural']];
  return [
    ...checkSpec(spec),
    ...fixed.flatMap((path) => checkFixed(spec, before, path)),
    ...checkStatusNames(crd),
    ...checkStoredVersions(crd),
    ...checkApproval(crd, old),
    ...checkPreserve(spec, before),
  ];
}

/** What is wrong with an update through its status subresource. */
export function validateCrdStatusUpdate(crd: KubeObject): readonly FieldError[] {
  return [...checkStatusNames(crd), ...checkStoredVersions(crd)];
}

function checkName(crd: KubeObject, spec: JsonObject): readonly FieldError[] {
  const name = nameOf(crd);
  const wanted = `${textAt(spec, 'names', 'plural') ?? ''}.${textAt(spec, 'group') ?? ''}`;
  return name === wanted
    ? []
    : [invalidAt('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

function checkSpec(spec: JsonObject): readonly FieldError[] {
  const versions = checkVersions(spec);
  return [
    ...checkGroup(textAt(spec, 'group') ?? ''),
    ...checkScope(textAt(spec, 'scope') ?? ''),
    ...versions,
    ...(versions.length === 0 ? checkCel(spec) : []),
    ...checkNames(objectAt(spec, 'names') ?? {}, 'spec.names'),
    ...checkConversion(spec['conversion']),
  ];
}

function checkGroup(group: string): readonly FieldError[] {
  if (group === '') return [required('spec.group')];
  const complaints = checkSubdomain(group);
  if (complaints.length > 0) return [invalidAt('spec.group', group, complaints.join(','))];
  return group.includes('.')
    ? []
    : [invalidAt('spec.group', group, 'should be a domain with at least one dot')];
}

function checkScope(scope: string): readonly FieldError[] {
  if (scope === '') return [required('spec.scope')];
  if (scope === 'Cluster' || scope === 'Namespaced') return [];
  return [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

const checkStatusNames = (crd: KubeObject): readonly FieldError[] =>
  checkSpelling(objectAt(crd, 'status', 'acceptedNames') ?? {}, 'status.acceptedNames');

function checkFixed(spec: JsonObject, before: JsonObject, path: readonly string[]): readonly FieldError[] {
  const now = at(spec, ...path);
  if (equalJson(now, at(before, ...path))) return [];
  return [invalidAt(['spec', ...path].join('.'), now, 'field is immutable')];
}

/** Groups of the Kubernetes community need an approval, unless it was missing before. */
function checkApproval(crd: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  if (!isProtectedGroup(textAt(crd, 'spec', 'group') ?? '')) return [];
  const { state, message } = approvalOf(crd);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const field = `metadata.annotations[${approvalAnnotation}]`;
  if (state === 'missing') return [required(field, message)];
  if (state === 'invalid') return [invalidAt(field, annotationsOf(crd)[approvalAnnotation], message)];
  return [];
}

function checkPreserve(spec: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  if (spec['preserveUnknownFields'] !== true || before?.['preserveUnknownFields'] === true) return [];
  const why =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidAt('spec.preserveUnknownFields', true, why)];
}
