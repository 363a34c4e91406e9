import { at, listAt, objectAt, textAt, type Json } from '#base/json.ts';
import { annotationsOf, isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { lengthCell, quantityText, textCell, textOr } from './cells.ts';
import {
  ageColumn,
  booleanColumn,
  integerColumn,
  nameColumn,
  withNameAndAge,
  textColumn,
  wideColumn,
  type Column,
} from './column.ts';

const modeColumn = wideColumn(
  'VolumeMode',
  'Whether it is a filesystem or a block device.',
  textOr('<unset>', 'spec', 'volumeMode'),
);
const attributesColumn = (of: string): Column =>
  textColumn(
    'VolumeAttributesClass',
    `The class of attributes of the ${of}.`,
    textOr('<unset>', 'spec', 'volumeAttributesClassName'),
  );

export const persistentVolumeColumns: readonly Column[] = [
  nameColumn,
  textColumn('Capacity', 'Capacity of the volume.', (volume) =>
    quantityText(at(volume, 'spec', 'capacity', 'storage')),
  ),
  textColumn('Access Modes', 'The ways it can be mounted.', (volume) =>
    accessModes(listAt(volume, 'spec', 'accessModes')),
  ),
  textColumn(
    'Reclaim Policy',
    'What happens to it when its claim is gone.',
    textCell('spec', 'persistentVolumeReclaimPolicy'),
  ),
  textColumn('Status', 'Whether it is available, bound or released.', phaseText),
  textColumn('Claim', 'The claim it is bound to.', claimText),
  textColumn('StorageClass', 'StorageClass of the volume.', classText),
  attributesColumn('volume'),
  textColumn('Reason', 'Why it is in this state.', textCell('status', 'reason')),
  ageColumn,
  modeColumn,
];

export const persistentVolumeClaimColumns: readonly Column[] = [
  nameColumn,
  textColumn('Status', 'Whether it is pending, bound or lost.', phaseText),
  textColumn('Volume', 'The volume it is bound to.', textCell('spec', 'volumeName')),
  textColumn('Capacity', 'Capacity of the bound volume.', (claim) =>
    isBound(claim) ? quantityText(at(claim, 'status', 'capacity', 'storage')) : '',
  ),
  textColumn('Access Modes', 'The ways its volume can be mounted.', (claim) =>
    isBound(claim) ? accessModes(listAt(claim, 'status', 'accessModes')) : '',
  ),
  textColumn('StorageClass', 'Requested StorageClass.', classText),
  attributesColumn('claim'),
  ageColumn,
  modeColumn,
];

export const storageClassColumns: readonly Column[] = [
  { ...nameColumn, cell: defaultName },
  textColumn('Provisioner', 'Provisioner of the volumes.', textCell('provisioner')),
  textColumn(
    'ReclaimPolicy',
    'What happens to volumes whose claim is gone.',
    textOr('Delete', 'reclaimPolicy'),
  ),
  textColumn(
    'VolumeBindingMode',
    'Time when volumes are provisioned and bound.',
    textOr('Immediate', 'volumeBindingMode'),
  ),
  textColumn(
    'AllowVolumeExpansion',
    'Whether volumes can grow.',
    (it) => it['allowVolumeExpansion'] === true,
  ),
  ageColumn,
];

export const volumeAttachmentColumns: readonly Column[] = withNameAndAge(
  { ...textColumn('Attacher', 'Who attaches the volume.', textCell('spec', 'attacher')), format: 'name' },
  textColumn('PV', 'The volume.', textCell('spec', 'source', 'persistentVolumeName')),
  textColumn('Node', 'The node it is attached to.', textCell('spec', 'nodeName')),
  booleanColumn('Attached', 'Whether it is attached.', (it) => at(it, 'status', 'attached') === true),
);

export const csiNodeColumns: readonly Column[] = withNameAndAge(
  integerColumn('Drivers', 'How many CSI drivers are registered on the node.', lengthCell('spec', 'drivers')),
);

const isBound = (claim: KubeObject): boolean => (textAt(claim, 'spec', 'volumeName') ?? '') !== '';

function phaseText(object: KubeObject): string {
  return isDeleting(object) ? 'Terminating' : (textAt(object, 'status', 'phase') ?? '');
}

const modeNames = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function accessModes(modes: readonly Json[]): string {
  return modeNames.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(',');
}

function claimText(volume: KubeObject): string {
  const claim = objectAt(volume, 'spec', 'claimRef');
  return claim === undefined ? '' : `${textAt(claim, 'namespace') ?? ''}/${textAt(claim, 'name') ?? ''}`;
}

/** The annotation is older than the field and still wins. */
function classText(object: KubeObject): string {
  const annotated = annotationsOf(object)['volume.beta.kubernetes.io/storage-class'];
  return annotated ?? textAt(object, 'spec', 'storageClassName') ?? '';
}

function defaultName(storageClass: KubeObject): string {
  const annotations = annotationsOf(storageClass);
  const isDefault =
    annotations['storageclass.kubernetes.io/is-default-class'] === 'true' ||
    annotations['storageclass.beta.kubernetes.io/is-default-class'] === 'true';
  return isDefault ? `${nameOf(storageClass)} (default)` : nameOf(storageClass);
}
