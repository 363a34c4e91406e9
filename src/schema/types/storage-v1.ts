import type { TypePackage } from './type-package.ts';

/** Every type of storage.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const storageV1: TypePackage = {
  name: 'io.k8s.api.storage.v1',
  alias: 'storage',
  group: 'storage.k8s.io',
  version: 'v1',
  lines: `
CSIDriver kind
 metadata 1 meta.ObjectMeta?
 spec 2 CSIDriverSpec
CSIDriverList kind
 metadata 1 meta.ListMeta?
 items 2 []CSIDriver
CSIDriverSpec
 attachRequired 1 *bool?
 podInfoOnMount 2 *bool?
 volumeLifecycleModes 3 []string?<VolumeLifecycleMode> =set
 storageCapacity 4 *bool?
 fsGroupPolicy 5 *string?<FSGroupPolicy>
 tokenRequests 6 []TokenRequest? =atomic
 requiresRepublish 7 *bool?
 seLinuxMount 8 *bool?
 nodeAllocatableUpdatePeriodSeconds 9 *int64?
CSINode kind
 metadata 1 meta.ObjectMeta?
 spec 2 CSINodeSpec
CSINodeDriver
 name 1 string
 nodeID 2 string
 topologyKeys 3 []string+ =atomic
 allocatable 4 *VolumeNodeResources?
CSINodeList kind
 metadata 1 meta.ListMeta?
 items 2 []CSINode
CSINodeSpec
 drivers 1 []CSINodeDriver =map:name ~merge:name
CSIStorageCapacity kind
 metadata 1 meta.ObjectMeta?
 nodeTopology 2 *meta.LabelSelector?
 storageClassName 3 string
 capacity 4 *resource.Quantity?
 maximumVolumeSize 5 *resource.Quantity?
CSIStorageCapacityList kind
 metadata 1 meta.ListMeta?
 items 2 []CSIStorageCapacity
StorageClass kind
 metadata 1 meta.ObjectMeta?
 provisioner 2 string
 parameters 3 {}string?
 reclaimPolicy 4 *string?<PersistentVolumeReclaimPolicy>
 mountOptions 5 []string? =atomic
 allowVolumeExpansion 6 *bool?
 volumeBindingMode 7 *string?<VolumeBindingMode>
 allowedTopologies 8 []core.TopologySelectorTerm? =atomic
StorageClassList kind
 metadata 1 meta.ListMeta?
 items 2 []StorageClass
TokenRequest
 audience 1 string
 expirationSeconds 2 *int64?
VolumeAttachment kind
 metadata 1 meta.ObjectMeta?
 spec 2 VolumeAttachmentSpec
 status 3 VolumeAttachmentStatus?
VolumeAttachmentList kind
 metadata 1 meta.ListMeta?
 items 2 []VolumeAttachment
VolumeAttachmentSource
 persistentVolumeName 1 *string?
 inlineVolumeSpec 2 *core.PersistentVolumeSpec?
VolumeAttachmentSpec
 attacher 1 string
 source 2 VolumeAttachmentSource
 nodeName 3 string
VolumeAttachmentStatus
 attached 1 bool
 attachmentMetadata 2 {}string?
 attachError 3 *VolumeError?
 detachError 4 *VolumeError?
VolumeAttributesClass kind
 metadata 1 meta.ObjectMeta?
 driverName 2 string
 parameters 3 {}string?
VolumeAttributesClassList kind
 metadata 1 meta.ListMeta?
 items 2 []VolumeAttributesClass
VolumeError
 time 1 meta.Time?
 message 2 string?
 errorCode 3 *int32?
VolumeNodeResources
 count 1 *int32?
`,
};
