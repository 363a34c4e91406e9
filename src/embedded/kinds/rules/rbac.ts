import { equalJson, listAt, objectAt, type JsonObject } from '#base/json.ts';
import { invalid, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { checkPathSegment, checkSubdomain } from '#kube/names.ts';
import { checkItems, complain, type ItemCheck } from './checks.ts';
import { editItems, editMember, textOf, withField, withMissing } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

const group = 'rbac.authorization.k8s.io';

/** No rules at all are stored as null; their owner is known before that. */
const withoutRules = (role: JsonObject): JsonObject =>
  listAt(role, 'rules').length === 0 ? withField(role, 'rules', null) : role;

const checkRule =
  (namespaced: boolean): ItemCheck =>
  (rule, path, errors) => {
    if (listAt(rule, 'verbs').length === 0) {
      errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
    }
    const urls = listAt(rule, 'nonResourceURLs').map(textOf);
    if (urls.length > 0) {
      checkUrls(rule, urls, { path, namespaced }, errors);
      return;
    }
    if (listAt(rule, 'apiGroups').length === 0) {
      errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
    }
    if (listAt(rule, 'resources').length === 0) {
      errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
    }
  };

type Where = { readonly path: string; readonly namespaced: boolean };

function checkUrls(
  rule: JsonObject,
  urls: readonly string[],
  { path, namespaced }: Where,
  errors: FieldError[],
): void {
  const field = `${path}.nonResourceURLs`;
  if (namespaced) errors.push(invalid(field, urls, 'namespaced rules cannot apply to non-resource URLs'));
  const alsoResources = ['apiGroups', 'resources', 'resourceNames'].some(
    (key) => listAt(rule, key).length > 0,
  );
  if (alsoResources) {
    errors.push(invalid(field, urls, 'rules cannot apply to both regular resources and non-resource URLs'));
  }
}

function roleRules(namespaced: boolean): KindRules {
  const check = (role: JsonObject): FieldError[] => {
    const errors: FieldError[] = [];
    checkItems(role['rules'], 'rules', checkRule(namespaced), errors);
    return errors;
  };
  return kindRules({
    prepareCreate: withoutRules,
    prepareUpdate: withoutRules,
    validateCreate: check,
    validateUpdate: check,
    nameRule: 'path-segment',
    allowCreateOnUpdate: true,
    metaOnUpdate: 'create-and-update',
  });
}

export const rbacRoleRules: KindRules = roleRules(true);
export const clusterRoleRules: KindRules = roleRules(false);

function defaultSubject(subject: JsonObject): JsonObject {
  return subject['kind'] === 'User' || subject['kind'] === 'Group'
    ? withMissing(subject, { apiGroup: group })
    : subject;
}

function defaultBinding(binding: JsonObject): JsonObject {
  const subjects = editItems(binding, 'subjects', defaultSubject);
  return editMember(subjects, 'roleRef', (ref) =>
    textOf(ref['apiGroup']) === '' ? { ...ref, apiGroup: group } : ref,
  );
}

function bindingRules(roleKinds: readonly string[]): KindRules {
  const check = (binding: JsonObject): FieldError[] => {
    const errors: FieldError[] = [];
    checkRoleRef(objectAt(binding, 'roleRef') ?? {}, roleKinds, errors);
    checkItems(binding['subjects'], 'subjects', checkSubject, errors);
    return errors;
  };
  return kindRules({
    defaults: defaultBinding,
    validateCreate: check,
    validateUpdate: (binding, old) => {
      const errors = check(binding);
      if (!equalJson(binding['roleRef'], old['roleRef'])) {
        errors.push(invalid('roleRef', binding['roleRef'], 'cannot change roleRef'));
      }
      return errors;
    },
    nameRule: 'path-segment',
    allowCreateOnUpdate: true,
    metaOnUpdate: 'create-and-update',
  });
}

function checkRoleRef(ref: JsonObject, kinds: readonly string[], errors: FieldError[]): void {
  if (ref['apiGroup'] !== group)
    errors.push(notSupported('roleRef.apiGroup', ref['apiGroup'] ?? '', [group]));
  const kind = textOf(ref['kind']);
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  const name = textOf(ref['name']);
  if (name === '') errors.push(required('roleRef.name'));
  else complain(name, 'roleRef.name', checkPathSegment(name), errors);
}

const checkSubject: ItemCheck = (subject, path, errors) => {
  const name = textOf(subject['name']);
  if (name === '') errors.push(required(`${path}.name`));
  const apiGroup = textOf(subject['apiGroup']);
  switch (subject['kind']) {
    case 'ServiceAccount':
      if (name !== '') complain(name, `${path}.name`, checkSubdomain(name), errors);
      if (apiGroup !== '') errors.push(notSupported(`${path}.apiGroup`, apiGroup, ['']));
      if (textOf(subject['namespace']) === '') errors.push(required(`${path}.namespace`));
      return;
    case 'User':
    case 'Group':
      if (apiGroup !== group) errors.push(notSupported(`${path}.apiGroup`, apiGroup, [group]));
      return;
    default:
      errors.push(notSupported(`${path}.kind`, subject['kind'] ?? '', ['ServiceAccount', 'User', 'Group']));
  }
};

export const roleBindingRules: KindRules = bindingRules(['Role', 'ClusterRole']);
export const clusterRoleBindingRules: KindRules = bindingRules(['ClusterRole']);
