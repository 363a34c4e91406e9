import { isObject, type JsonObject } from '#base/json.ts';
import { defaultFieldSource } from './container-defaults.ts';
import { defaultClaimSpec } from './claim-defaults.ts';
import { editField, editItems, editMember, withMissing } from '#base/json-edit.ts';

/** A volume without a source is an empty directory; files have mode 0644. */
export function defaultVolume(volume: JsonObject): JsonObject {
  if (!hasSource(volume)) return { ...volume, emptyDir: {} };
  let result = volume;
  for (const key in sources) {
    const source = result[key];
    if (isObject(source)) result = editField(result, key, sources[key] as Edit);
  }
  return result;
}

type Edit = (source: JsonObject) => JsonObject;

function hasSource(volume: JsonObject): boolean {
  for (const key in volume) if (key !== 'name' && volume[key] !== undefined) return true;
  return false;
}

const withMode: Edit = (source) => withMissing(source, { defaultMode: 420 });
const withFields: Edit = (source) => editItems(source, 'items', defaultFieldSource);

const sources: Readonly<Record<string, Edit>> = {
  secret: withMode,
  configMap: withMode,
  downwardAPI: (source) => withFields(withMode(source)),
  projected: (source) => editItems(withMode(source), 'sources', defaultProjection),
  hostPath: (source) => withMissing(source, { type: '' }),
  iscsi: (source) => withMissing(source, { iscsiInterface: 'default' }),
  rbd: (source) => withMissing(source, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  azureDisk: (source) =>
    withMissing(source, { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' }),
  scaleIO: (source) => withMissing(source, { storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  ephemeral: (source) =>
    editField(source, 'volumeClaimTemplate', (template) =>
      editMember(withMissing(template, { metadata: { creationTimestamp: null } }), 'spec', defaultClaimSpec),
    ),
};

function defaultProjection(projection: JsonObject): JsonObject {
  const token = editField(projection, 'serviceAccountToken', (source) =>
    withMissing(source, { expirationSeconds: 3600 }),
  );
  return editField(token, 'downwardAPI', withFields);
}
