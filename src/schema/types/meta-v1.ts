import type { TypePackage } from './type-package.ts';

/** Every type of meta.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const metaV1: TypePackage = {
  name: 'io.k8s.apimachinery.pkg.apis.meta.v1',
  alias: 'meta',
  group: 'meta.k8s.io',
  version: 'v1',
  lines: `
APIGroup kind
 name 1 string
 versions 2 []GroupVersionForDiscovery =atomic
 preferredVersion 3 GroupVersionForDiscovery?
 serverAddressByClientCIDRs 4 []ServerAddressByClientCIDR? =atomic
APIGroupList kind
 groups 1 []APIGroup =atomic
APIResource
 name 1 string
 singularName 6 string
 namespaced 2 bool
 group 8 string?
 version 9 string?
 kind 3 string
 verbs 4 Verbs
 shortNames 5 []string? =atomic
 categories 7 []string? =atomic
 storageVersionHash 10 string?
APIResourceList kind
 groupVersion 1 string
 resources 2 []APIResource =atomic
APIVersions kind
 versions 1 []string =atomic
 serverAddressByClientCIDRs 2 []ServerAddressByClientCIDR =atomic
ApplyOptions kind
 dryRun 1 []string? =atomic
 force 2 bool
 fieldManager 3 string
Condition
 type 1 string
 status 2 string<ConditionStatus>
 observedGeneration 3 int64?
 lastTransitionTime 4 Time
 reason 5 string
 message 6 string
CreateOptions kind
 dryRun 1 []string? =atomic
 fieldManager 3 string?
 fieldValidation 4 string?
DeleteOptions kind
 gracePeriodSeconds 1 *int64?
 preconditions 2 *Preconditions?
 orphanDependents 3 *bool?
 propagationPolicy 4 *string?<DeletionPropagation>
 dryRun 5 []string? =atomic
 ignoreStoreReadErrorWithClusterBreakingPotential 6 *bool?
FieldSelectorRequirement
 key 1 string
 operator 2 string<FieldSelectorOperator>
 values 3 []string? =atomic
FieldsV1 @raw
GetOptions kind
 resourceVersion 1 string?
GroupKind
 group 1 string
 kind 2 string
GroupResource
 group 1 string
 resource 2 string
GroupVersion
 group 1 string
 version 2 string
GroupVersionForDiscovery
 groupVersion 1 string
 version 2 string
GroupVersionKind
 group 1 string
 version 2 string
 kind 3 string
GroupVersionResource
 group 1 string
 version 2 string
 resource 3 string
LabelSelector atomic
 matchLabels 1 {}string?
 matchExpressions 2 []LabelSelectorRequirement? =atomic
LabelSelectorRequirement
 key 1 string
 operator 2 string<LabelSelectorOperator>
 values 3 []string? =atomic
List kind
 metadata 1 ListMeta?
 items 2 []runtime.RawExtension
ListMeta
 selfLink 1 string?
 resourceVersion 2 string?
 continue 3 string?
 remainingItemCount 4 *int64?
ListOptions kind
 labelSelector 1 string?
 fieldSelector 2 string?
 watch 3 bool?
 allowWatchBookmarks 9 bool?
 resourceVersion 4 string?
 resourceVersionMatch 10 string?<ResourceVersionMatch>
 timeoutSeconds 5 *int64?
 limit 7 int64?
 continue 8 string?
 sendInitialEvents 11 *bool?
ManagedFieldsEntry
 manager 1 string?
 operation 2 string?<ManagedFieldsOperationType>
 apiVersion 3 string?
 time 4 *Time?
 fieldsType 6 string?
 fieldsV1 7 *FieldsV1?
 subresource 8 string?
MicroTime @microtime
ObjectMeta
 name 1 string?
 generateName 2 string?
 namespace 3 string?
 selfLink 4 string?
 uid 5 string?<types.UID>
 resourceVersion 6 string?
 generation 7 int64?
 creationTimestamp 8 Time?
 deletionTimestamp 9 *Time?
 deletionGracePeriodSeconds 10 *int64?
 labels 11 {}string?
 annotations 12 {}string?
 ownerReferences 13 []OwnerReference? =map:uid ~merge:uid
 finalizers 14 []string? =set ~merge
 managedFields 17 []ManagedFieldsEntry? =atomic
OwnerReference atomic
 apiVersion 5 string
 kind 1 string
 name 3 string
 uid 4 string<types.UID>
 controller 6 *bool?
 blockOwnerDeletion 7 *bool?
PartialObjectMetadata kind
 metadata 1 ObjectMeta?
PartialObjectMetadataList kind
 metadata 1 ListMeta?
 items 2 []PartialObjectMetadata
PatchOptions kind
 dryRun 1 []string? =atomic
 force 2 *bool?
 fieldManager 3 string?
 fieldValidation 4 string?
Preconditions
 uid 1 *string?<types.UID>
 resourceVersion 2 *string?
RootPaths
 paths 1 []string =atomic
ServerAddressByClientCIDR
 clientCIDR 1 string
 serverAddress 2 string
Status kind
 metadata 1 ListMeta?
 status 2 string?
 message 3 string?
 reason 4 string?<StatusReason>
 details 5 *StatusDetails? =atomic
 code 6 int32?
StatusCause
 reason 1 string?<CauseType>
 message 2 string?
 field 3 string?
StatusDetails
 name 1 string?
 group 2 string?
 kind 3 string?
 uid 6 string?<types.UID>
 causes 4 []StatusCause? =atomic
 retryAfterSeconds 5 int32?
TableOptions kind
 includeObject 1 string?<IncludeObjectPolicy>
Time @time
UpdateOptions kind
 dryRun 1 []string? =atomic
 fieldManager 2 string?
 fieldValidation 3 string?
Verbs @list
WatchEvent kind
 type 1 string
 object 2 runtime.RawExtension
`,
};
