import { listAt, type JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { checkQualifiedName } from '#kube/names.ts';
import { labelsOf, nameOf, withMeta } from '#kube/object.ts';
import { complain } from './checks.ts';
import { editMember, keeping, specOf, textOf } from '#base/json-edit.ts';
import { textField } from './field-values.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

const nameLabel = 'kubernetes.io/metadata.name';

/** A namespace carries its own name as a label, so that selectors can name it. */
function withNameLabel(namespace: JsonObject): JsonObject {
  const name = nameOf(namespace);
  const labels = labelsOf(namespace);
  return name === '' || labels[nameLabel] === name
    ? namespace
    : withMeta(namespace, { labels: { ...labels, [nameLabel]: name } });
}

/** The namespace controller's own finalizer is there from the start. */
function prepareCreate(namespace: JsonObject): JsonObject {
  const finalizers = listAt(specOf(namespace), 'finalizers');
  const all = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
  const active: JsonObject = { ...namespace, status: { phase: 'Active' } };
  return editMember(withNameLabel(active), 'spec', (spec) => ({ ...spec, finalizers: all }));
}

function check(namespace: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  listAt(specOf(namespace), 'finalizers').forEach((each) => {
    const name = textOf(each);
    complain(name, 'spec.finalizers', checkQualifiedName(name), errors);
    if (name.includes('/') || name === 'kubernetes') return;
    const text = 'name is neither a standard finalizer name nor is it fully qualified';
    errors.push(invalid('spec.finalizers', name, text));
  });
  return errors;
}

export const namespaceRules: KindRules = kindRules({
  defaults: withNameLabel,
  prepareCreate,
  prepareUpdate: (namespace, old) => keeping(namespace, old, ['spec', 'status']),
  prepareStatusUpdate: (namespace, old) => keeping(namespace, old, ['spec']),
  validateCreate: check,
  hasStatus: true,
  nameRule: 'label',
  metaOnUpdate: 'create-and-update',
  selectableFields: { 'status.phase': textField('status', 'phase') },
});

/** The rules of namespaces/finalize: an update that sees only spec.finalizers. */
export const namespaceFinalizeRules: KindRules = {
  ...namespaceRules,
  prepareUpdate: (namespace, old) => keeping(namespace, old, ['status']),
  validateUpdate: check,
};
