import { equalJson, isObject, listAt, type JsonObject } from '#base/json.ts';
import { forbidden, invalid, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { metaOf } from '#kube/object.ts';
import { describeChanges } from './changed-fields.ts';
import { optionalWord } from './checks.ts';
import { editField, editMember, specOf, textOf, withField, withMissing } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { textsOf } from '#kube/metadata/metadata.ts';
import { quantityOf } from './resource-checks.ts';
import { statusRules } from './status-rules.ts';

const specDefaults: JsonObject = { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' };

function defaults(volume: JsonObject): JsonObject {
  const spec = editMember(volume, 'spec', (each) =>
    editField(withMissing(each, specDefaults), 'hostPath', (path) => withMissing(path, { type: '' })),
  );
  return editMember(spec, 'status', (status) => withMissing(status, { phase: 'Pending' }));
}

const sources = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];
const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

function check(volume: JsonObject): FieldError[] {
  const spec = specOf(volume);
  const errors: FieldError[] = [];
  const modes = listAt(spec, 'accessModes').map(textOf);
  if (modes.length === 0) errors.push(required('spec.accessModes'));
  for (const mode of modes.filter((each) => !accessModes.includes(each))) {
    errors.push(notSupported('spec.accessModes', mode, accessModes));
  }
  checkCapacity(spec, errors);
  const found = sources.filter((key) => isObject(spec[key]));
  if (found.length === 0) errors.push(required('spec', 'must specify a volume type'));
  for (const key of found.slice(1)) {
    errors.push(forbidden(`spec.${key}`, 'may not specify more than 1 volume type'));
  }
  const policies = optionalWord('Delete', 'Recycle', 'Retain');
  policies(spec['persistentVolumeReclaimPolicy'], 'spec.persistentVolumeReclaimPolicy', errors);
  optionalWord('Block', 'Filesystem')(spec['volumeMode'], 'spec.volumeMode', errors);
  return errors;
}

function checkCapacity(spec: JsonObject, errors: FieldError[]): void {
  const capacity = isObject(spec['capacity']) ? spec['capacity'] : {};
  if (Object.keys(capacity).length === 0) errors.push(required('spec.capacity'));
  else if (capacity['storage'] === undefined) errors.push(notSupported('spec.capacity', '', ['storage']));
  else if (quantityOf(capacity['storage']).nano <= 0n) {
    errors.push(invalid('spec.capacity[storage]', capacity['storage'], 'must be greater than zero'));
  }
}

const sourceOf = (volume: JsonObject): JsonObject =>
  Object.fromEntries(
    sources.flatMap((key) => (isObject(specOf(volume)[key]) ? [[key, specOf(volume)[key] ?? null]] : [])),
  );

function checkUpdate(volume: JsonObject, old: JsonObject): FieldError[] {
  if (volume['spec'] === old['spec']) return [];
  const errors = check(volume);
  const [now, before] = [sourceOf(volume), sourceOf(old)];
  if (!equalJson(now, before)) {
    const text = `spec.persistentvolumesource is immutable after creation\n${describeChanges(before, now)}`;
    errors.push(forbidden('spec.persistentvolumesource', text));
  }
  const mode = specOf(volume)['volumeMode'];
  if (mode !== specOf(old)['volumeMode']) errors.push(invalid('spec.volumeMode', mode, 'field is immutable'));
  return errors;
}

const protection = 'kubernetes.io/pv-protection';

/** A bound volume is not removed: it gets the protection finalizer at creation. */
function protect(volume: JsonObject): JsonObject {
  const finalizers = textsOf(metaOf(volume), 'finalizers');
  if (finalizers.includes(protection)) return volume;
  return withField(volume, 'metadata', { ...metaOf(volume), finalizers: [...finalizers, protection] });
}

export const persistentVolumeRules: KindRules = kindRules({
  ...statusRules(() => ({ phase: 'Pending' })),
  defaults,
  prepareCreate: (volume) => protect({ ...volume, status: { phase: 'Pending' } }),
  validateCreate: check,
  validateUpdate: checkUpdate,
  metaOnUpdate: 'create-and-update',
});
