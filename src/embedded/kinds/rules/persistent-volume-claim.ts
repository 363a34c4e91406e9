import { equalJson, isArray, listAt, objectAt, textAt, without, type JsonObject } from '#base/json.ts';
import { compareQuantity } from '#base/quantity.ts';
import { forbidden, invalid, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { metaOf } from '#kube/object.ts';
import { describeChanges } from './changed-fields.ts';
import { defaultClaimSpec } from './claim-defaults.ts';
import { editMember, keeping, specOf, textOf, withField, withMissing } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { textsOf } from '#kube/metadata/metadata.ts';
import { quantityOf } from './resource-checks.ts';
import { checkLabelSelector } from './selector-checks.ts';
import { statusRules } from './status-rules.ts';

/** Also fills in the claim templates of a stateful set. */
export const defaultClaim = (claim: JsonObject): JsonObject =>
  editMember(editMember(claim, 'spec', defaultClaimSpec), 'status', (status) =>
    withMissing(status, { phase: 'Pending' }),
  );

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

function check(claim: JsonObject): FieldError[] {
  const spec = specOf(claim);
  const errors: FieldError[] = [];
  const modes = spec['accessModes'];
  if (!isArray(modes) || modes.length === 0)
    errors.push(required('spec.accessModes', 'at least 1 access mode is required'));
  checkLabelSelector(spec['selector'], 'spec.selector', errors);
  const found = listAt(spec, 'accessModes').map(textOf);
  for (const mode of found.filter((each) => !accessModes.includes(each))) {
    errors.push(notSupported('spec.accessModes', mode, accessModes));
  }
  if (found.includes('ReadWriteOncePod') && found.length > 1) {
    errors.push(forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes'));
  }
  checkStorage(spec, errors);
  const mode = textOf(spec['volumeMode']);
  if (mode !== '' && mode !== 'Block' && mode !== 'Filesystem') {
    errors.push(notSupported('spec.volumeMode', mode, ['Block', 'Filesystem']));
  }
  return errors;
}

function checkStorage(spec: JsonObject, errors: FieldError[]): void {
  const storage = objectAt(spec, 'resources', 'requests')?.['storage'];
  if (storage === undefined) {
    errors.push(required('spec.resources[storage]'));
  } else if (quantityOf(storage).nano <= 0n) {
    errors.push(invalid('spec.resources[storage]', storage, 'must be greater than zero'));
  }
}

const onlyRequests =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Set once by the binder, and growing once bound. */
function checkUpdate(claim: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(claim), specOf(old)];
  if (spec === before) return [];
  const errors = check(claim);
  let compared = spec;
  if (textOf(before['volumeName']) === '') compared = keeping(compared, before, ['volumeName']);
  if (textAt(old, 'status', 'phase') === 'Bound') {
    checkGrowth(spec, before, errors);
    const requests = objectAt(before, 'resources', 'requests');
    compared = editMember(compared, 'resources', (resources) => withField(resources, 'requests', requests));
    compared = keeping(compared, before, ['volumeAttributesClassName']);
  }
  if (!equalJson(compared, before)) {
    errors.push(forbidden('spec', `${onlyRequests}\n${describeChanges(before, compared)}`));
  }
  return errors;
}

function checkGrowth(spec: JsonObject, before: JsonObject, errors: FieldError[]): void {
  const storage = (each: JsonObject): JsonObject => objectAt(each, 'resources', 'requests') ?? {};
  const now = quantityOf(storage(spec)['storage']);
  if (compareQuantity(now, quantityOf(storage(before)['storage'])) < 0) {
    errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
}

const protection = 'kubernetes.io/pvc-protection';

/** A claim in use is not removed: it gets the protection finalizer at creation. */
function protect(claim: JsonObject): JsonObject {
  const finalizers = textsOf(metaOf(claim), 'finalizers');
  if (finalizers.includes(protection)) return claim;
  return withField(claim, 'metadata', { ...metaOf(claim), finalizers: [...finalizers, protection] });
}

const status = statusRules(() => ({ phase: 'Pending' }));

export const persistentVolumeClaimRules: KindRules = kindRules({
  ...status,
  defaults: defaultClaim,
  prepareCreate: (claim) => protect({ ...without(claim, 'status'), status: { phase: 'Pending' } }),
  validateCreate: check,
  validateUpdate: checkUpdate,
  metaOnUpdate: 'create-and-update',
});
