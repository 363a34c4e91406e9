import { isNumber, isObject, type Json, type JsonObject } from '#base/json.ts';
import { duplicate, forbidden, invalid, required, type FieldError } from '#kube/field-error.ts';
import { checkConfigKey, checkLabel } from '#kube/names.ts';
import {
  checkItems,
  checkRows,
  needed,
  neededName,
  optionalWord,
  type FieldCheck,
  type ItemCheck,
  type FieldRow,
} from './checks.ts';
import { textOf } from '#base/json-edit.ts';
import { checkFieldRef, fileFields } from './env-checks.ts';

/** Checks the volumes of a pod; returns the names of the valid ones. */
export function checkVolumes(
  list: Json | undefined,
  path: string,
  errors: FieldError[],
): ReadonlySet<string> {
  const names = new Set<string>();
  checkItems(
    list,
    path,
    (volume, at) => {
      const own: FieldError[] = [];
      checkVolumeSource(volume, at, own);
      const name = textOf(volume['name']);
      neededName(checkLabel)(name, `${at}.name`, own);
      if (names.has(name)) own.push(duplicate(`${at}.name`, name));
      if (own.length === 0) names.add(name);
      else errors.push(...own);
    },
    errors,
  );
  return names;
}

const fileMode: FieldCheck = (value, field, errors) => {
  if (typeof value === 'number' && (value < 0 || value > 0o777)) {
    errors.push(invalid(field, value, 'must be a number between 0 and 0777 (octal), both inclusive'));
  }
};

/** A path below the volume. */
export const descendingPath: FieldCheck = (value, field, errors) => {
  const text = textOf(value);
  if (text.startsWith('/')) errors.push(invalid(field, text, 'must be a relative path'));
  if (text.split('/').includes('..')) errors.push(invalid(field, text, "must not contain '..'"));
};

const filePath: FieldCheck = (value, field, errors) => {
  needed(value, field, errors);
  descendingPath(value, field, errors);
  if (textOf(value).startsWith('..')) errors.push(invalid(field, value, "must not start with '..'"));
};

const keyToPathRows: readonly FieldRow[] = [
  ['key', neededName(checkConfigKey)],
  ['path', filePath],
  ['mode', fileMode],
];
const keyToPath: ItemCheck = (item, path, errors) => checkRows(item, path, keyToPathRows, errors);

const listOf =
  (check: ItemCheck): FieldCheck =>
  (value, field, errors) =>
    checkItems(value, field, check, errors);

const downwardFile: ItemCheck = (item, path, errors) => {
  filePath(item['path'], `${path}.path`, errors);
  const ref = item['fieldRef'];
  if (isObject(ref)) checkFieldRef(ref, `${path}.fieldRef`, fileFields, errors);
  else if (!isObject(item['resourceFieldRef'])) {
    errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  }
  fileMode(item['mode'], `${path}.mode`, errors);
};

const tokenSeconds: FieldCheck = (value, field, errors) => {
  if (!isNumber(value)) return;
  if (value < 600) errors.push(invalid(field, value, 'may not specify a duration less than 10 minutes'));
  if (value > 2 ** 32)
    errors.push(invalid(field, value, 'may not specify a duration larger than 2^32 seconds'));
};

const projections: Readonly<Record<string, readonly FieldRow[]>> = {
  secret: [
    ['name', needed],
    ['items', listOf(keyToPath)],
  ],
  configMap: [
    ['name', needed],
    ['items', listOf(keyToPath)],
  ],
  downwardAPI: [['items', listOf(downwardFile)]],
  serviceAccountToken: [
    ['expirationSeconds', tokenSeconds],
    ['path', filePath],
  ],
  clusterTrustBundle: [],
};

const projection: ItemCheck = (source, path, errors) => {
  const kinds = Object.keys(projections).filter((kind) => isObject(source[kind]));
  kinds.forEach((kind, i) => {
    const field = `${path}.${kind}`;
    if (i > 0) errors.push(forbidden(field, 'may not specify more than 1 volume type per source'));
    else checkRows(source[kind] as JsonObject, field, projections[kind] ?? [], errors);
  });
};

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

const absolutePath: FieldCheck = (value, field, errors) => {
  needed(value, field, errors);
  if (textOf(value) !== '' && !textOf(value).startsWith('/')) {
    errors.push(invalid(field, value, 'must be an absolute path'));
  }
};

/** Every kind of volume in the order in which the server looks for them. */
const sources: Readonly<Record<string, readonly FieldRow[]>> = {
  emptyDir: [],
  hostPath: [
    ['path', needed],
    ['type', optionalWord(...hostPathTypes)],
  ],
  gitRepo: [['repository', needed]],
  gcePersistentDisk: [['pdName', needed]],
  awsElasticBlockStore: [['volumeID', needed]],
  secret: [
    ['secretName', needed],
    ['defaultMode', fileMode],
    ['items', listOf(keyToPath)],
  ],
  nfs: [
    ['server', needed],
    ['path', absolutePath],
  ],
  iscsi: [
    ['targetPortal', needed],
    ['iqn', needed],
  ],
  glusterfs: [
    ['endpoints', needed],
    ['path', needed],
  ],
  flocker: [],
  persistentVolumeClaim: [['claimName', needed]],
  rbd: [
    ['monitors', needed],
    ['image', needed],
  ],
  cinder: [['volumeID', needed]],
  cephfs: [['monitors', needed]],
  downwardAPI: [
    ['defaultMode', fileMode],
    ['items', listOf(downwardFile)],
  ],
  fc: [],
  configMap: [
    ['name', needed],
    ['defaultMode', fileMode],
    ['items', listOf(keyToPath)],
  ],
  azureFile: [
    ['secretName', needed],
    ['shareName', needed],
  ],
  vsphereVolume: [['volumePath', needed]],
  photonPersistentDisk: [['pdID', needed]],
  portworxVolume: [['volumeID', needed]],
  azureDisk: [
    ['diskName', needed],
    ['diskURI', needed],
  ],
  storageos: [['volumeName', needed]],
  projected: [
    ['defaultMode', fileMode],
    ['sources', listOf(projection)],
  ],
  scaleIO: [
    ['gateway', needed],
    ['system', needed],
    ['volumeName', needed],
  ],
  csi: [['driver', needed]],
  ephemeral: [['volumeClaimTemplate', needed]],
  image: [['reference', needed]],
};
const sourceNames = Object.keys(sources);

function checkVolumeSource(volume: JsonObject, path: string, errors: FieldError[]): void {
  let found = 0;
  for (const kind of sourceNames) {
    const source = volume[kind];
    if (!isObject(source)) continue;
    found += 1;
    if (found > 1) errors.push(forbidden(`${path}.${kind}`, 'may not specify more than 1 volume type'));
    else checkRows(source, `${path}.${kind}`, sources[kind] ?? [], errors);
  }
  if (found === 0) errors.push(required(path, 'must specify a volume type'));
}
