import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { normal, warning, type Note } from '#loop/note.ts';
import {
  annotationsOf,
  isDeleting,
  nameOf,
  namespaceOf,
  resourceVersionOf,
  uidOf,
  withMeta,
  type KubeObject,
} from '#kube/object.ts';
import { classOf, findVolume, refersTo } from './volume-match.ts';

const completedKey = 'pv.kubernetes.io/bind-completed';
const byControllerKey = 'pv.kubernetes.io/bound-by-controller';
export const provisionedByKey = 'pv.kubernetes.io/provisioned-by';
const provisionerKey = 'volume.kubernetes.io/storage-provisioner';
export const selectedNodeKey = 'volume.kubernetes.io/selected-node';
const noProvisioner = 'kubernetes.io/no-provisioner';

export type ClaimSnapshot = {
  readonly claim: KubeObject;
  readonly storageClass: KubeObject | undefined;
  /** The volume that the claim names. */
  readonly named: KubeObject | undefined;
  /** Volumes of the claim's class. */
  readonly volumes: Iterable<KubeObject>;
  /** A pod waits for the claim, or its node was chosen. */
  readonly hasConsumer: boolean;
};

/** One step; the next follows when it has been seen. */
export type ClaimStep = {
  readonly action:
    | { readonly type: 'none' }
    | { readonly type: 'create volume'; readonly volume: KubeObject }
    | { readonly type: 'update volume'; readonly volume: KubeObject }
    | { readonly type: 'update claim'; readonly claim: KubeObject }
    | { readonly type: 'set status'; readonly status: JsonObject };
  readonly note: Note | undefined;
};

const none: ClaimStep = { action: { type: 'none' }, note: undefined };
const saying = (note: Note): ClaimStep => ({ action: { type: 'none' }, note });

export function decideClaim(snapshot: ClaimSnapshot): ClaimStep {
  const { claim, named } = snapshot;
  if (isDeleting(claim)) return none;
  const name = textAt(claim, 'spec', 'volumeName') ?? '';
  if (name === '') return findOne(snapshot);
  return named === undefined ? lost(claim) : bindTo(claim, named);
}

/** The claim names its volume. */
function bindTo(claim: KubeObject, volume: KubeObject): ClaimStep {
  const reference = refersTo(volume, claim);
  if (reference === 'no' && objectAt(volume, 'spec', 'claimRef') !== undefined) {
    return saying(warning('FailedBinding', `volume "${nameOf(volume)}" already bound to a different claim.`));
  }
  if (reference !== 'exactly') return setAside(volume, claim);
  const completed = bound(claim, volume, false);
  if (completed !== undefined) return { action: { type: 'update claim', claim: completed }, note: undefined };
  const status: JsonObject = {
    ...objectAt(claim, 'status'),
    phase: 'Bound',
    accessModes: listAt(volume, 'spec', 'accessModes'),
    capacity: objectAt(volume, 'spec', 'capacity') ?? {},
  };
  return { action: { type: 'set status', status }, note: undefined };
}

function lost(claim: KubeObject): ClaimStep {
  if (annotationsOf(claim)[completedKey] === undefined) return none;
  const status = { ...objectAt(claim, 'status'), phase: 'Lost' };
  const note = warning('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  return { action: { type: 'set status', status }, note };
}

/** The claim has no volume yet. */
function findOne(snapshot: ClaimSnapshot): ClaimStep {
  const { claim, storageClass, hasConsumer } = snapshot;
  const found = findVolume(claim, snapshot.volumes);
  if (found !== undefined && refersTo(found, claim) === 'exactly') {
    const changed = bound(claim, found, true);
    return { action: { type: 'update claim', claim: changed ?? claim }, note: undefined };
  }
  const waits = textAt(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer' && !hasConsumer;
  if (waits && (found === undefined || refersTo(found, claim) === 'no')) {
    return saying(normal('WaitForFirstConsumer', 'waiting for first consumer to be created before binding'));
  }
  if (found !== undefined) return setAside(found, claim);
  return storageClass === undefined ? hopeless(claim) : provision(claim, storageClass);
}

function hopeless(claim: KubeObject): ClaimStep {
  const name = classOf(claim);
  return saying(
    name === ''
      ? normal('FailedBinding', 'no persistent volumes available for this claim and no storage class is set')
      : warning('ProvisioningFailed', `storageclass.storage.k8s.io "${name}" not found`),
  );
}

const setAside = (volume: KubeObject, claim: KubeObject): ClaimStep => ({
  action: {
    type: 'update volume',
    volume: {
      ...withMeta(volume, { annotations: { ...annotationsOf(volume), [byControllerKey]: 'yes' } }),
      spec: { ...objectAt(volume, 'spec'), claimRef: referenceTo(claim) },
    },
  },
  note: undefined,
});

const referenceTo = (claim: KubeObject): JsonObject => ({
  kind: 'PersistentVolumeClaim',
  namespace: namespaceOf(claim),
  name: nameOf(claim),
  uid: uidOf(claim),
  apiVersion: 'v1',
  resourceVersion: resourceVersionOf(claim),
});

/** The claim with its bound status; undefined when it has it. */
function bound(claim: KubeObject, volume: KubeObject, byController: boolean): KubeObject | undefined {
  const annotations = annotationsOf(claim);
  const wanted = {
    ...annotations,
    [completedKey]: 'yes',
    ...(byController ? { [byControllerKey]: 'yes' } : {}),
  };
  const isSaid =
    textAt(claim, 'spec', 'volumeName') === nameOf(volume) && annotations[completedKey] !== undefined;
  if (isSaid) return undefined;
  return {
    ...withMeta(claim, { annotations: wanted }),
    spec: { ...objectAt(claim, 'spec'), volumeName: nameOf(volume) },
  };
}

function provision(claim: KubeObject, storageClass: KubeObject): ClaimStep {
  const provisioner = textAt(storageClass, 'provisioner') ?? '';
  if (provisioner === noProvisioner) return none;
  if (annotationsOf(claim)[provisionerKey] !== provisioner) {
    const annotations = { ...annotationsOf(claim), [provisionerKey]: provisioner };
    return { action: { type: 'update claim', claim: withMeta(claim, { annotations }) }, note: undefined };
  }
  const volume = newVolume(claim, storageClass, provisioner);
  const note = normal('ProvisioningSucceeded', `Successfully provisioned volume ${nameOf(volume)}`);
  return { action: { type: 'create volume', volume }, note };
}

function newVolume(claim: KubeObject, storageClass: KubeObject, provisioner: string): KubeObject {
  const name = `pvc-${uidOf(claim)}`;
  const mountOptions = listAt(storageClass, 'mountOptions');
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { [provisionedByKey]: provisioner } },
    spec: {
      capacity: { storage: textAt(claim, 'spec', 'resources', 'requests', 'storage') ?? '0' },
      hostPath: { path: `/var/lib/volumes/${name}`, type: 'DirectoryOrCreate' },
      accessModes: listAt(claim, 'spec', 'accessModes'),
      claimRef: referenceTo(claim),
      persistentVolumeReclaimPolicy: textAt(storageClass, 'reclaimPolicy') ?? 'Delete',
      storageClassName: nameOf(storageClass),
      ...(mountOptions.length === 0 ? {} : { mountOptions }),
      volumeMode: textAt(claim, 'spec', 'volumeMode') ?? 'Filesystem',
    },
  };
}
