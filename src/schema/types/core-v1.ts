/* oxlint-disable max-lines -- a table of facts: one line per type and per field (line language: parse-lines.ts) */
import type { TypePackage } from './type-package.ts';

/** Every type of the core group/v1, one line per type and per field (see parse-lines.ts). */
export const coreV1: TypePackage = {
  name: 'io.k8s.api.core.v1',
  alias: 'core',
  group: '',
  version: 'v1',
  lines: `
AWSElasticBlockStoreVolumeSource
 volumeID 1 string
 fsType 2 string?
 partition 3 int32?
 readOnly 4 bool?
Affinity
 nodeAffinity 1 *NodeAffinity?
 podAffinity 2 *PodAffinity?
 podAntiAffinity 3 *PodAntiAffinity?
AppArmorProfile
 type 1 string<AppArmorProfileType>
 localhostProfile 2 *string?
AttachedVolume
 name 1 string<UniqueVolumeName>
 devicePath 2 string
AvoidPods
 preferAvoidPods 1 []PreferAvoidPodsEntry? =atomic
AzureDiskVolumeSource
 diskName 1 string
 diskURI 2 string
 cachingMode 3 *string?<AzureDataDiskCachingMode> :="ReadWrite"
 fsType 4 *string? :="ext4"
 readOnly 5 *bool? :=false
 kind 6 *string?<AzureDataDiskKind> :="Shared"
AzureFilePersistentVolumeSource
 secretName 1 string
 shareName 2 string
 readOnly 3 bool?
 secretNamespace 4 *string+
AzureFileVolumeSource
 secretName 1 string
 shareName 2 string
 readOnly 3 bool?
Binding kind
 metadata 1 meta.ObjectMeta?
 target 2 ObjectReference
CSIPersistentVolumeSource
 driver 1 string
 volumeHandle 2 string
 readOnly 3 bool?
 fsType 4 string?
 volumeAttributes 5 {}string?
 controllerPublishSecretRef 6 *SecretReference?
 nodeStageSecretRef 7 *SecretReference?
 nodePublishSecretRef 8 *SecretReference?
 controllerExpandSecretRef 9 *SecretReference?
 nodeExpandSecretRef 10 *SecretReference?
CSIVolumeSource
 driver 1 string
 readOnly 2 *bool?
 fsType 3 *string?
 volumeAttributes 4 {}string?
 nodePublishSecretRef 5 *LocalObjectReference?
Capabilities
 add 1 []string?<Capability> =atomic
 drop 2 []string?<Capability> =atomic
CephFSPersistentVolumeSource
 monitors 1 []string =atomic
 path 2 string?
 user 3 string?
 secretFile 4 string?
 secretRef 5 *SecretReference?
 readOnly 6 bool?
CephFSVolumeSource
 monitors 1 []string =atomic
 path 2 string?
 user 3 string?
 secretFile 4 string?
 secretRef 5 *LocalObjectReference?
 readOnly 6 bool?
CinderPersistentVolumeSource
 volumeID 1 string
 fsType 2 string?
 readOnly 3 bool?
 secretRef 4 *SecretReference?
CinderVolumeSource
 volumeID 1 string
 fsType 2 string?
 readOnly 3 bool?
 secretRef 4 *LocalObjectReference?
ClientIPConfig
 timeoutSeconds 1 *int32?
ClusterTrustBundleProjection
 name 1 *string?
 signerName 2 *string?
 labelSelector 3 *meta.LabelSelector?
 optional 5 *bool?
 path 4 string
ComponentCondition
 type 1 string<ComponentConditionType>
 status 2 string<ConditionStatus>
 message 3 string?
 error 4 string?
ComponentStatus kind
 metadata 1 meta.ObjectMeta?
 conditions 2 []ComponentCondition? =map:type ~merge:type
ComponentStatusList kind
 metadata 1 meta.ListMeta?
 items 2 []ComponentStatus
ConfigMap kind
 metadata 1 meta.ObjectMeta?
 immutable 4 *bool?
 data 2 {}string?
 binaryData 3 {}bytes?
ConfigMapEnvSource
 localObjectReference 1 &LocalObjectReference
 optional 2 *bool?
ConfigMapKeySelector atomic
 localObjectReference 1 &LocalObjectReference
 key 2 string
 optional 3 *bool?
ConfigMapList kind
 metadata 1 meta.ListMeta?
 items 2 []ConfigMap
ConfigMapNodeConfigSource
 namespace 1 string
 name 2 string
 uid 3 string?<types.UID>
 resourceVersion 4 string?
 kubeletConfigKey 5 string
ConfigMapProjection
 localObjectReference 1 &LocalObjectReference
 items 2 []KeyToPath? =atomic
 optional 4 *bool?
ConfigMapVolumeSource
 localObjectReference 1 &LocalObjectReference
 items 2 []KeyToPath? =atomic
 defaultMode 3 *int32?
 optional 4 *bool?
Container
 name 1 string
 image 2 string?
 command 3 []string? =atomic
 args 4 []string? =atomic
 workingDir 5 string?
 ports 6 []ContainerPort? =map:containerPort,protocol ~merge:containerPort
 envFrom 19 []EnvFromSource? =atomic
 env 7 []EnvVar? =map:name ~merge:name
 resources 8 ResourceRequirements?
 resizePolicy 23 []ContainerResizePolicy? =atomic
 restartPolicy 24 *string?<ContainerRestartPolicy>
 volumeMounts 9 []VolumeMount? =map:mountPath ~merge:mountPath
 volumeDevices 21 []VolumeDevice? =map:devicePath ~merge:devicePath
 livenessProbe 10 *Probe?
 readinessProbe 11 *Probe?
 startupProbe 22 *Probe?
 lifecycle 12 *Lifecycle?
 terminationMessagePath 13 string?
 terminationMessagePolicy 20 string?<TerminationMessagePolicy>
 imagePullPolicy 14 string?<PullPolicy>
 securityContext 15 *SecurityContext?
 stdin 16 bool?
 stdinOnce 17 bool?
 tty 18 bool?
 restartPolicyRules 25 []ContainerRestartRule? =atomic
ContainerExtendedResourceRequest
 containerName 1 string
 resourceName 2 string
 requestName 3 string
ContainerImage
 names 1 []string+ =atomic
 sizeBytes 2 int64?
ContainerPort
 name 1 string?
 hostPort 2 int32?
 containerPort 3 int32
 protocol 4 string?<Protocol> :="TCP"
 hostIP 5 string?
ContainerResizePolicy
 resourceName 1 string<ResourceName>
 restartPolicy 2 string<ResourceResizeRestartPolicy>
ContainerRestartRule
 action 1 string?!<ContainerRestartRuleAction>
 exitCodes 2 *ContainerRestartRuleOnExitCodes?
ContainerRestartRuleOnExitCodes
 operator 1 string?!<ContainerRestartRuleOnExitCodesOperator>
 values 2 []int32? =set
ContainerState
 waiting 1 *ContainerStateWaiting?
 running 2 *ContainerStateRunning?
 terminated 3 *ContainerStateTerminated?
ContainerStateRunning
 startedAt 1 meta.Time?
ContainerStateTerminated
 exitCode 1 int32
 signal 2 int32?
 reason 3 string?
 message 4 string?
 startedAt 5 meta.Time?
 finishedAt 6 meta.Time?
 containerID 7 string?
ContainerStateWaiting
 reason 1 string?
 message 2 string?
ContainerStatus
 name 1 string
 state 2 ContainerState?
 lastState 3 ContainerState?
 ready 4 bool
 restartCount 5 int32
 image 6 string
 imageID 7 string
 containerID 8 string?
 started 9 *bool?
 allocatedResources 10 {}resource.Quantity?<=ResourceList>
 resources 11 *ResourceRequirements?
 volumeMounts 12 []VolumeMountStatus? =map:mountPath ~merge:mountPath
 user 13 *ContainerUser?
 allocatedResourcesStatus 14 []ResourceStatus? =map:name ~merge:name
 stopSignal 15 *string?<Signal>
ContainerUser
 linux 1 *LinuxContainerUser?
DaemonEndpoint
 Port 1 int32
DownwardAPIProjection
 items 1 []DownwardAPIVolumeFile? =atomic
DownwardAPIVolumeFile
 path 1 string
 fieldRef 2 *ObjectFieldSelector?
 resourceFieldRef 3 *ResourceFieldSelector?
 mode 4 *int32?
DownwardAPIVolumeSource
 items 1 []DownwardAPIVolumeFile? =atomic
 defaultMode 2 *int32?
EmptyDirVolumeSource
 medium 1 string?<StorageMedium>
 sizeLimit 2 *resource.Quantity?
EndpointAddress atomic
 ip 1 string
 hostname 3 string?
 nodeName 4 *string?
 targetRef 2 *ObjectReference?
EndpointPort atomic
 name 1 string?
 port 2 int32
 protocol 3 string?<Protocol>
 appProtocol 4 *string?
EndpointSubset
 addresses 1 []EndpointAddress? =atomic
 notReadyAddresses 2 []EndpointAddress? =atomic
 ports 3 []EndpointPort? =atomic
Endpoints kind
 metadata 1 meta.ObjectMeta?
 subsets 2 []EndpointSubset? =atomic
EndpointsList kind
 metadata 1 meta.ListMeta?
 items 2 []Endpoints
EnvFromSource
 prefix 1 string?
 configMapRef 2 *ConfigMapEnvSource?
 secretRef 3 *SecretEnvSource?
EnvVar
 name 1 string
 value 2 string?
 valueFrom 3 *EnvVarSource?
EnvVarSource
 fieldRef 1 *ObjectFieldSelector?
 resourceFieldRef 2 *ResourceFieldSelector?
 configMapKeyRef 3 *ConfigMapKeySelector?
 secretKeyRef 4 *SecretKeySelector?
 fileKeyRef 5 *FileKeySelector?
EphemeralContainer
 ephemeralContainerCommon 1 &EphemeralContainerCommon
 targetContainerName 2 string?
EphemeralContainerCommon
 name 1 string
 image 2 string?
 command 3 []string? =atomic
 args 4 []string? =atomic
 workingDir 5 string?
 ports 6 []ContainerPort? =map:containerPort,protocol ~merge:containerPort
 envFrom 19 []EnvFromSource? =atomic
 env 7 []EnvVar? =map:name ~merge:name
 resources 8 ResourceRequirements?
 resizePolicy 23 []ContainerResizePolicy? =atomic
 restartPolicy 24 *string?<ContainerRestartPolicy>
 volumeMounts 9 []VolumeMount? =map:mountPath ~merge:mountPath
 volumeDevices 21 []VolumeDevice? =map:devicePath ~merge:devicePath
 livenessProbe 10 *Probe?
 readinessProbe 11 *Probe?
 startupProbe 22 *Probe?
 lifecycle 12 *Lifecycle?
 terminationMessagePath 13 string?
 terminationMessagePolicy 20 string?<TerminationMessagePolicy>
 imagePullPolicy 14 string?<PullPolicy>
 securityContext 15 *SecurityContext?
 stdin 16 bool?
 stdinOnce 17 bool?
 tty 18 bool?
 restartPolicyRules 25 []ContainerRestartRule? =atomic
EphemeralVolumeSource
 volumeClaimTemplate 1 *PersistentVolumeClaimTemplate?
Event kind
 metadata 1 meta.ObjectMeta
 involvedObject 2 ObjectReference
 reason 3 string?
 message 4 string?
 source 5 EventSource?
 firstTimestamp 6 meta.Time?
 lastTimestamp 7 meta.Time?
 count 8 int32?
 type 9 string?
 eventTime 10 meta.MicroTime?
 series 11 *EventSeries?
 action 12 string?
 related 13 *ObjectReference?
 reportingComponent 14 string+
 reportingInstance 15 string+
EventList kind
 metadata 1 meta.ListMeta?
 items 2 []Event
EventSeries
 count 1 int32?
 lastObservedTime 2 meta.MicroTime?
EventSource
 component 1 string?
 host 2 string?
ExecAction
 command 1 []string? =atomic
FCVolumeSource
 targetWWNs 1 []string? =atomic
 lun 2 *int32?
 fsType 3 string?
 readOnly 4 bool?
 wwids 5 []string? =atomic
FileKeySelector atomic
 volumeName 1 string
 path 2 string
 key 3 string
 optional 4 *bool? :=false
FlexPersistentVolumeSource
 driver 1 string
 fsType 2 string?
 secretRef 3 *SecretReference?
 readOnly 4 bool?
 options 5 {}string?
FlexVolumeSource
 driver 1 string
 fsType 2 string?
 secretRef 3 *LocalObjectReference?
 readOnly 4 bool?
 options 5 {}string?
FlockerVolumeSource
 datasetName 1 string?
 datasetUUID 2 string?
GCEPersistentDiskVolumeSource
 pdName 1 string
 fsType 2 string?
 partition 3 int32?
 readOnly 4 bool?
GRPCAction
 port 1 int32
 service 2 *string+ :=""
GitRepoVolumeSource
 repository 1 string
 revision 2 string?
 directory 3 string?
GlusterfsPersistentVolumeSource
 endpoints 1 string
 path 2 string
 readOnly 3 bool?
 endpointsNamespace 4 *string?
GlusterfsVolumeSource
 endpoints 1 string
 path 2 string
 readOnly 3 bool?
HTTPGetAction
 path 1 string?
 port 2 intstr.IntOrString
 host 3 string?
 scheme 4 string?<URIScheme>
 httpHeaders 5 []HTTPHeader? =atomic
HTTPHeader
 name 1 string
 value 2 string
HostAlias
 ip 1 string
 hostnames 2 []string? =atomic
HostIP
 ip 1 string
HostPathVolumeSource
 path 1 string
 type 2 *string?<HostPathType>
ISCSIPersistentVolumeSource
 targetPortal 1 string
 iqn 2 string
 lun 3 int32
 iscsiInterface 4 string? :="default"
 fsType 5 string?
 readOnly 6 bool?
 portals 7 []string? =atomic
 chapAuthDiscovery 8 bool?
 chapAuthSession 11 bool?
 secretRef 10 *SecretReference?
 initiatorName 12 *string?
ISCSIVolumeSource
 targetPortal 1 string
 iqn 2 string
 lun 3 int32
 iscsiInterface 4 string? :="default"
 fsType 5 string?
 readOnly 6 bool?
 portals 7 []string? =atomic
 chapAuthDiscovery 8 bool?
 chapAuthSession 11 bool?
 secretRef 10 *LocalObjectReference?
 initiatorName 12 *string?
ImageVolumeSource
 reference 1 string?
 pullPolicy 2 string?<PullPolicy>
KeyToPath
 key 1 string
 path 2 string
 mode 3 *int32?
Lifecycle
 postStart 1 *LifecycleHandler?
 preStop 2 *LifecycleHandler?
 stopSignal 3 *string?<Signal>
LifecycleHandler
 exec 1 *ExecAction?
 httpGet 2 *HTTPGetAction?
 tcpSocket 3 *TCPSocketAction?
 sleep 4 *SleepAction?
LimitRange kind
 metadata 1 meta.ObjectMeta?
 spec 2 LimitRangeSpec?
LimitRangeItem
 type 1 string<LimitType>
 max 2 {}resource.Quantity?<=ResourceList>
 min 3 {}resource.Quantity?<=ResourceList>
 default 4 {}resource.Quantity?<=ResourceList>
 defaultRequest 5 {}resource.Quantity?<=ResourceList>
 maxLimitRequestRatio 6 {}resource.Quantity?<=ResourceList>
LimitRangeList kind
 metadata 1 meta.ListMeta?
 items 2 []LimitRange
LimitRangeSpec
 limits 1 []LimitRangeItem =atomic
LinuxContainerUser
 uid 1 int64
 gid 2 int64
 supplementalGroups 3 []int64? =atomic
List kind
 metadata 1 meta.ListMeta?
 items 2 []runtime.RawExtension
LoadBalancerIngress
 ip 1 string?
 hostname 2 string?
 ipMode 3 *string?<LoadBalancerIPMode>
 ports 4 []PortStatus? =atomic
LoadBalancerStatus
 ingress 1 []LoadBalancerIngress? =atomic
LocalObjectReference atomic
 name 1 string? :=""
LocalVolumeSource
 path 1 string
 fsType 2 *string?
ModifyVolumeStatus
 targetVolumeAttributesClassName 1 string?
 status 2 string<PersistentVolumeClaimModifyVolumeStatus>
NFSVolumeSource
 server 1 string
 path 2 string
 readOnly 3 bool?
Namespace kind
 metadata 1 meta.ObjectMeta?
 spec 2 NamespaceSpec?
 status 3 NamespaceStatus?
NamespaceCondition
 type 1 string<NamespaceConditionType>
 status 2 string<ConditionStatus>
 lastTransitionTime 4 meta.Time?
 reason 5 string?
 message 6 string?
NamespaceList kind
 metadata 1 meta.ListMeta?
 items 2 []Namespace
NamespaceSpec
 finalizers 1 []string?<FinalizerName> =atomic
NamespaceStatus
 phase 1 string?<NamespacePhase>
 conditions 2 []NamespaceCondition? =map:type ~merge:type
Node kind
 metadata 1 meta.ObjectMeta?
 spec 2 NodeSpec?
 status 3 NodeStatus?
NodeAddress
 type 1 string<NodeAddressType>
 address 2 string
NodeAffinity
 requiredDuringSchedulingIgnoredDuringExecution 1 *NodeSelector?
 preferredDuringSchedulingIgnoredDuringExecution 2 []PreferredSchedulingTerm? =atomic
NodeCondition
 type 1 string<NodeConditionType>
 status 2 string<ConditionStatus>
 lastHeartbeatTime 3 meta.Time?
 lastTransitionTime 4 meta.Time?
 reason 5 string?
 message 6 string?
NodeConfigSource
 configMap 2 *ConfigMapNodeConfigSource?
NodeConfigStatus
 assigned 1 *NodeConfigSource?
 active 2 *NodeConfigSource?
 lastKnownGood 3 *NodeConfigSource?
 error 4 string?
NodeDaemonEndpoints
 kubeletEndpoint 1 DaemonEndpoint?
NodeFeatures
 supplementalGroupsPolicy 1 *bool?
NodeList kind
 metadata 1 meta.ListMeta?
 items 2 []Node
NodeProxyOptions kind
 path 1 string?
NodeRuntimeHandler
 name 1 string+
 features 2 *NodeRuntimeHandlerFeatures?
NodeRuntimeHandlerFeatures
 recursiveReadOnlyMounts 1 *bool?
 userNamespaces 2 *bool?
NodeSelector atomic
 nodeSelectorTerms 1 []NodeSelectorTerm =atomic
NodeSelectorRequirement
 key 1 string
 operator 2 string<NodeSelectorOperator>
 values 3 []string? =atomic
NodeSelectorTerm atomic
 matchExpressions 1 []NodeSelectorRequirement? =atomic
 matchFields 2 []NodeSelectorRequirement? =atomic
NodeSpec
 podCIDR 1 string?
 podCIDRs 7 []string? =set ~merge
 providerID 3 string?
 unschedulable 4 bool?
 taints 5 []Taint? =atomic
 configSource 6 *NodeConfigSource?
 externalID 2 string?
NodeStatus
 capacity 1 {}resource.Quantity?<=ResourceList>
 allocatable 2 {}resource.Quantity?<=ResourceList>
 phase 3 string?<NodePhase>
 conditions 4 []NodeCondition? =map:type ~merge:type
 addresses 5 []NodeAddress? =map:type ~merge:type
 daemonEndpoints 6 NodeDaemonEndpoints?
 nodeInfo 7 NodeSystemInfo?
 images 8 []ContainerImage? =atomic
 volumesInUse 9 []string?<UniqueVolumeName> =atomic
 volumesAttached 10 []AttachedVolume? =atomic
 config 11 *NodeConfigStatus?
 runtimeHandlers 12 []NodeRuntimeHandler? =atomic
 features 13 *NodeFeatures?
NodeSwapStatus
 capacity 1 *int64?
NodeSystemInfo
 machineID 1 string
 systemUUID 2 string
 bootID 3 string
 kernelVersion 4 string
 osImage 5 string
 containerRuntimeVersion 6 string
 kubeletVersion 7 string
 kubeProxyVersion 8 string
 operatingSystem 9 string
 architecture 10 string
 swap 11 *NodeSwapStatus?
ObjectFieldSelector atomic
 apiVersion 1 string?
 fieldPath 2 string
ObjectReference atomic
 kind 1 string?
 namespace 2 string?
 name 3 string?
 uid 4 string?<types.UID>
 apiVersion 5 string?
 resourceVersion 6 string?
 fieldPath 7 string?
PersistentVolume kind
 metadata 1 meta.ObjectMeta?
 spec 2 PersistentVolumeSpec?
 status 3 PersistentVolumeStatus?
PersistentVolumeClaim kind
 metadata 1 meta.ObjectMeta?
 spec 2 PersistentVolumeClaimSpec?
 status 3 PersistentVolumeClaimStatus?
PersistentVolumeClaimCondition
 type 1 string<PersistentVolumeClaimConditionType>
 status 2 string<ConditionStatus>
 lastProbeTime 3 meta.Time?
 lastTransitionTime 4 meta.Time?
 reason 5 string?
 message 6 string?
PersistentVolumeClaimList kind
 metadata 1 meta.ListMeta?
 items 2 []PersistentVolumeClaim
PersistentVolumeClaimSpec
 accessModes 1 []string?<PersistentVolumeAccessMode> =atomic
 selector 4 *meta.LabelSelector?
 resources 2 VolumeResourceRequirements?
 volumeName 3 string?
 storageClassName 5 *string?
 volumeMode 6 *string?<PersistentVolumeMode>
 dataSource 7 *TypedLocalObjectReference?
 dataSourceRef 8 *TypedObjectReference?
 volumeAttributesClassName 9 *string?
PersistentVolumeClaimStatus
 phase 1 string?<PersistentVolumeClaimPhase>
 accessModes 2 []string?<PersistentVolumeAccessMode> =atomic
 capacity 3 {}resource.Quantity?<=ResourceList>
 conditions 4 []PersistentVolumeClaimCondition? =map:type ~merge:type
 allocatedResources 5 {}resource.Quantity?<=ResourceList>
 allocatedResourceStatuses 7 {}string?<=map[v1.ResourceName]v1.ClaimResourceStatus> =granular
 currentVolumeAttributesClassName 8 *string?
 modifyVolumeStatus 9 *ModifyVolumeStatus?
PersistentVolumeClaimTemplate
 metadata 1 meta.ObjectMeta?
 spec 2 PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource
 claimName 1 string
 readOnly 2 bool?
PersistentVolumeList kind
 metadata 1 meta.ListMeta?
 items 2 []PersistentVolume
PersistentVolumeSource
 gcePersistentDisk 1 *GCEPersistentDiskVolumeSource?
 awsElasticBlockStore 2 *AWSElasticBlockStoreVolumeSource?
 hostPath 3 *HostPathVolumeSource?
 glusterfs 4 *GlusterfsPersistentVolumeSource?
 nfs 5 *NFSVolumeSource?
 rbd 6 *RBDPersistentVolumeSource?
 iscsi 7 *ISCSIPersistentVolumeSource?
 cinder 8 *CinderPersistentVolumeSource?
 cephfs 9 *CephFSPersistentVolumeSource?
 fc 10 *FCVolumeSource?
 flocker 11 *FlockerVolumeSource?
 flexVolume 12 *FlexPersistentVolumeSource?
 azureFile 13 *AzureFilePersistentVolumeSource?
 vsphereVolume 14 *VsphereVirtualDiskVolumeSource?
 quobyte 15 *QuobyteVolumeSource?
 azureDisk 16 *AzureDiskVolumeSource?
 photonPersistentDisk 17 *PhotonPersistentDiskVolumeSource?
 portworxVolume 18 *PortworxVolumeSource?
 scaleIO 19 *ScaleIOPersistentVolumeSource?
 local 20 *LocalVolumeSource?
 storageos 21 *StorageOSPersistentVolumeSource?
 csi 22 *CSIPersistentVolumeSource?
PersistentVolumeSpec
 capacity 1 {}resource.Quantity?<=ResourceList>
 persistentVolumeSource 2 &PersistentVolumeSource
 accessModes 3 []string?<PersistentVolumeAccessMode> =atomic
 claimRef 4 *ObjectReference? =granular
 persistentVolumeReclaimPolicy 5 string?<PersistentVolumeReclaimPolicy>
 storageClassName 6 string?
 mountOptions 7 []string? =atomic
 volumeMode 8 *string?<PersistentVolumeMode>
 nodeAffinity 9 *VolumeNodeAffinity?
 volumeAttributesClassName 10 *string?
PersistentVolumeStatus
 phase 1 string?<PersistentVolumePhase>
 message 2 string?
 reason 3 string?
 lastPhaseTransitionTime 4 *meta.Time?
PhotonPersistentDiskVolumeSource
 pdID 1 string
 fsType 2 string?
Pod kind
 metadata 1 meta.ObjectMeta?
 spec 2 PodSpec?
 status 3 PodStatus?
PodAffinity
 requiredDuringSchedulingIgnoredDuringExecution 1 []PodAffinityTerm? =atomic
 preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm? =atomic
PodAffinityTerm
 labelSelector 1 *meta.LabelSelector?
 namespaces 2 []string? =atomic
 topologyKey 3 string
 namespaceSelector 4 *meta.LabelSelector?
 matchLabelKeys 5 []string? =atomic
 mismatchLabelKeys 6 []string? =atomic
PodAntiAffinity
 requiredDuringSchedulingIgnoredDuringExecution 1 []PodAffinityTerm? =atomic
 preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm? =atomic
PodAttachOptions kind
 stdin 1 bool?
 stdout 2 bool?
 stderr 3 bool?
 tty 4 bool?
 container 5 string?
PodCertificateProjection
 signerName 1 string?!
 keyType 2 string?!
 maxExpirationSeconds 3 *int32?
 credentialBundlePath 4 string?
 keyPath 5 string?
 certificateChainPath 6 string?
PodCondition
 type 1 string<PodConditionType>
 status 2 string<ConditionStatus>
 lastProbeTime 3 meta.Time?
 lastTransitionTime 4 meta.Time?
 reason 5 string?
 message 6 string?
 observedGeneration 7 int64?
PodDNSConfig
 nameservers 1 []string? =atomic
 searches 2 []string? =atomic
 options 3 []PodDNSConfigOption? =atomic
PodDNSConfigOption
 name 1 string?
 value 2 *string?
PodExecOptions kind
 stdin 1 bool?
 stdout 2 bool?
 stderr 3 bool?
 tty 4 bool?
 container 5 string?
 command 6 []string =atomic
PodExtendedResourceClaimStatus
 requestMappings 1 []ContainerExtendedResourceRequest =atomic
 resourceClaimName 2 string
PodIP
 ip 1 string
PodList kind
 metadata 1 meta.ListMeta?
 items 2 []Pod
PodLogOptions kind
 container 1 string?
 follow 2 bool?
 previous 3 bool?
 sinceSeconds 4 *int64?
 sinceTime 5 *meta.Time?
 timestamps 6 bool?
 tailLines 7 *int64?
 limitBytes 8 *int64?
 insecureSkipTLSVerifyBackend 9 bool?
 stream 10 *string?
PodOS
 name 1 string<OSName>
PodPortForwardOptions kind
 ports 1 []int32? =atomic
PodProxyOptions kind
 path 1 string?
PodReadinessGate
 conditionType 1 string<PodConditionType>
PodResourceClaim
 name 1 string
 resourceClaimName 3 *string?
 resourceClaimTemplateName 4 *string?
PodResourceClaimStatus
 name 1 string
 resourceClaimName 2 *string?
PodSchedulingGate
 name 1 string
PodSecurityContext
 seLinuxOptions 1 *SELinuxOptions?
 windowsOptions 8 *WindowsSecurityContextOptions?
 runAsUser 2 *int64?
 runAsGroup 6 *int64?
 runAsNonRoot 3 *bool?
 supplementalGroups 4 []int64? =atomic
 supplementalGroupsPolicy 12 *string?<SupplementalGroupsPolicy>
 fsGroup 5 *int64?
 sysctls 7 []Sysctl? =atomic
 fsGroupChangePolicy 9 *string?<PodFSGroupChangePolicy>
 seccompProfile 10 *SeccompProfile?
 appArmorProfile 11 *AppArmorProfile?
 seLinuxChangePolicy 13 *string?<PodSELinuxChangePolicy>
PodSignature
 podController 1 *meta.OwnerReference?
PodSpec
 volumes 1 []Volume? =map:name ~merge,retainKeys:name
 initContainers 20 []Container? =map:name ~merge:name
 containers 2 []Container =map:name ~merge:name
 ephemeralContainers 34 []EphemeralContainer? =map:name ~merge:name
 restartPolicy 3 string?<RestartPolicy>
 terminationGracePeriodSeconds 4 *int64?
 activeDeadlineSeconds 5 *int64?
 dnsPolicy 6 string?<DNSPolicy>
 nodeSelector 7 {}string? =atomic
 serviceAccountName 8 string?
 serviceAccount 9 string?
 automountServiceAccountToken 21 *bool?
 nodeName 10 string?
 hostNetwork 11 bool?
 hostPID 12 bool?
 hostIPC 13 bool?
 shareProcessNamespace 27 *bool?
 securityContext 14 *PodSecurityContext?
 imagePullSecrets 15 []LocalObjectReference? =map:name ~merge:name
 hostname 16 string?
 subdomain 17 string?
 affinity 18 *Affinity?
 schedulerName 19 string?
 tolerations 22 []Toleration? =atomic
 hostAliases 23 []HostAlias? =map:ip ~merge:ip
 priorityClassName 24 string?
 priority 25 *int32?
 dnsConfig 26 *PodDNSConfig?
 readinessGates 28 []PodReadinessGate? =atomic
 runtimeClassName 29 *string?
 enableServiceLinks 30 *bool?
 preemptionPolicy 31 *string?<PreemptionPolicy>
 overhead 32 {}resource.Quantity?<=ResourceList>
 topologySpreadConstraints 33 []TopologySpreadConstraint? =map:topologyKey,whenUnsatisfiable ~merge:topologyKey
 setHostnameAsFQDN 35 *bool?
 os 36 *PodOS?
 hostUsers 37 *bool?
 schedulingGates 38 []PodSchedulingGate? =map:name ~merge:name
 resourceClaims 39 []PodResourceClaim? =map:name ~merge,retainKeys:name
 resources 40 *ResourceRequirements?
 hostnameOverride 41 *string?
PodStatus
 phase 1 string?<PodPhase>
 conditions 2 []PodCondition? =map:type ~merge:type
 message 3 string?
 reason 4 string?
 nominatedNodeName 11 string?
 hostIP 5 string?
 hostIPs 16 []HostIP? =atomic ~merge:ip
 podIP 6 string?
 podIPs 12 []PodIP? =map:ip ~merge:ip
 startTime 7 *meta.Time?
 initContainerStatuses 10 []ContainerStatus? =atomic
 containerStatuses 8 []ContainerStatus? =atomic
 qosClass 9 string?<PodQOSClass>
 ephemeralContainerStatuses 13 []ContainerStatus? =atomic
 resize 14 string?<PodResizeStatus>
 resourceClaimStatuses 15 []PodResourceClaimStatus? =map:name ~merge,retainKeys:name
 observedGeneration 17 int64?
 extendedResourceClaimStatus 18 *PodExtendedResourceClaimStatus?
PodStatusResult kind
 metadata 1 meta.ObjectMeta?
 status 2 PodStatus?
PodTemplate kind
 metadata 1 meta.ObjectMeta?
 template 2 PodTemplateSpec?
PodTemplateList kind
 metadata 1 meta.ListMeta?
 items 2 []PodTemplate
PodTemplateSpec
 metadata 1 meta.ObjectMeta?
 spec 2 PodSpec?
PortStatus
 port 1 int32
 protocol 2 string<Protocol>
 error 3 *string?
PortworxVolumeSource
 volumeID 1 string
 fsType 2 string?
 readOnly 3 bool?
Preconditions
 uid 1 *string?<types.UID>
PreferAvoidPodsEntry
 podSignature 1 PodSignature
 evictionTime 2 meta.Time?
 reason 3 string?
 message 4 string?
PreferredSchedulingTerm
 weight 1 int32
 preference 2 NodeSelectorTerm
Probe
 handler 1 &ProbeHandler
 initialDelaySeconds 2 int32?
 timeoutSeconds 3 int32?
 periodSeconds 4 int32?
 successThreshold 5 int32?
 failureThreshold 6 int32?
 terminationGracePeriodSeconds 7 *int64?
ProbeHandler
 exec 1 *ExecAction?
 httpGet 2 *HTTPGetAction?
 tcpSocket 3 *TCPSocketAction?
 grpc 4 *GRPCAction?
ProjectedVolumeSource
 sources 1 []VolumeProjection+ =atomic
 defaultMode 2 *int32?
QuobyteVolumeSource
 registry 1 string
 volume 2 string
 readOnly 3 bool?
 user 4 string?
 group 5 string?
 tenant 6 string?
RBDPersistentVolumeSource
 monitors 1 []string =atomic
 image 2 string
 fsType 3 string?
 pool 4 string? :="rbd"
 user 5 string? :="admin"
 keyring 6 string? :="/etc/ceph/keyring"
 secretRef 7 *SecretReference?
 readOnly 8 bool?
RBDVolumeSource
 monitors 1 []string =atomic
 image 2 string
 fsType 3 string?
 pool 4 string? :="rbd"
 user 5 string? :="admin"
 keyring 6 string? :="/etc/ceph/keyring"
 secretRef 7 *LocalObjectReference?
 readOnly 8 bool?
RangeAllocation kind
 metadata 1 meta.ObjectMeta?
 range 2 string
 data 3 bytes
ReplicationController kind
 metadata 1 meta.ObjectMeta?
 spec 2 ReplicationControllerSpec?
 status 3 ReplicationControllerStatus?
ReplicationControllerCondition
 type 1 string<ReplicationControllerConditionType>
 status 2 string<ConditionStatus>
 lastTransitionTime 3 meta.Time?
 reason 4 string?
 message 5 string?
ReplicationControllerList kind
 metadata 1 meta.ListMeta?
 items 2 []ReplicationController
ReplicationControllerSpec
 replicas 1 *int32? :=1
 minReadySeconds 4 int32? :=0
 selector 2 {}string? =atomic
 template 3 *PodTemplateSpec?
ReplicationControllerStatus
 replicas 1 int32
 fullyLabeledReplicas 2 int32?
 readyReplicas 4 int32?
 availableReplicas 5 int32?
 observedGeneration 3 int64?
 conditions 6 []ReplicationControllerCondition? =map:type ~merge:type
ResourceClaim
 name 1 string
 request 2 string?
ResourceFieldSelector atomic
 containerName 1 string?
 resource 2 string
 divisor 3 resource.Quantity?
ResourceHealth
 resourceID 1 string<ResourceID>
 health 2 string?<ResourceHealthStatus>
ResourceQuota kind
 metadata 1 meta.ObjectMeta?
 spec 2 ResourceQuotaSpec?
 status 3 ResourceQuotaStatus?
ResourceQuotaList kind
 metadata 1 meta.ListMeta?
 items 2 []ResourceQuota
ResourceQuotaSpec
 hard 1 {}resource.Quantity?<=ResourceList>
 scopes 2 []string?<ResourceQuotaScope> =atomic
 scopeSelector 3 *ScopeSelector?
ResourceQuotaStatus
 hard 1 {}resource.Quantity?<=ResourceList>
 used 2 {}resource.Quantity?<=ResourceList>
ResourceRequirements
 limits 1 {}resource.Quantity?<=ResourceList>
 requests 2 {}resource.Quantity?<=ResourceList>
 claims 3 []ResourceClaim? =map:name
ResourceStatus
 name 1 string<ResourceName>
 resources 2 []ResourceHealth? =map:resourceID
SELinuxOptions
 user 1 string?
 role 2 string?
 type 3 string?
 level 4 string?
ScaleIOPersistentVolumeSource
 gateway 1 string
 system 2 string
 secretRef 3 *SecretReference
 sslEnabled 4 bool?
 protectionDomain 5 string?
 storagePool 6 string?
 storageMode 7 string? :="ThinProvisioned"
 volumeName 8 string?
 fsType 9 string? :="xfs"
 readOnly 10 bool?
ScaleIOVolumeSource
 gateway 1 string
 system 2 string
 secretRef 3 *LocalObjectReference
 sslEnabled 4 bool?
 protectionDomain 5 string?
 storagePool 6 string?
 storageMode 7 string? :="ThinProvisioned"
 volumeName 8 string?
 fsType 9 string? :="xfs"
 readOnly 10 bool?
ScopeSelector atomic
 matchExpressions 1 []ScopedResourceSelectorRequirement? =atomic
ScopedResourceSelectorRequirement
 scopeName 1 string<ResourceQuotaScope>
 operator 2 string<ScopeSelectorOperator>
 values 3 []string? =atomic
SeccompProfile
 type 1 string<SeccompProfileType>
 localhostProfile 2 *string?
Secret kind
 metadata 1 meta.ObjectMeta?
 immutable 5 *bool?
 data 2 {}bytes?
 stringData 4 {}string?
 type 3 string?<SecretType>
SecretEnvSource
 localObjectReference 1 &LocalObjectReference
 optional 2 *bool?
SecretKeySelector atomic
 localObjectReference 1 &LocalObjectReference
 key 2 string
 optional 3 *bool?
SecretList kind
 metadata 1 meta.ListMeta?
 items 2 []Secret
SecretProjection
 localObjectReference 1 &LocalObjectReference
 items 2 []KeyToPath? =atomic
 optional 4 *bool?
SecretReference atomic
 name 1 string?
 namespace 2 string?
SecretVolumeSource
 secretName 1 string?
 items 2 []KeyToPath? =atomic
 defaultMode 3 *int32?
 optional 4 *bool?
SecurityContext
 capabilities 1 *Capabilities?
 privileged 2 *bool?
 seLinuxOptions 3 *SELinuxOptions?
 windowsOptions 10 *WindowsSecurityContextOptions?
 runAsUser 4 *int64?
 runAsGroup 8 *int64?
 runAsNonRoot 5 *bool?
 readOnlyRootFilesystem 6 *bool?
 allowPrivilegeEscalation 7 *bool?
 procMount 9 *string?<ProcMountType>
 seccompProfile 11 *SeccompProfile?
 appArmorProfile 12 *AppArmorProfile?
SerializedReference kind
 reference 1 ObjectReference?
Service kind
 metadata 1 meta.ObjectMeta?
 spec 2 ServiceSpec?
 status 3 ServiceStatus?
ServiceAccount kind
 metadata 1 meta.ObjectMeta?
 secrets 2 []ObjectReference? =map:name ~merge:name
 imagePullSecrets 3 []LocalObjectReference? =atomic
 automountServiceAccountToken 4 *bool?
ServiceAccountList kind
 metadata 1 meta.ListMeta?
 items 2 []ServiceAccount
ServiceAccountTokenProjection
 audience 1 string?
 expirationSeconds 2 *int64?
 path 3 string
ServiceList kind
 metadata 1 meta.ListMeta?
 items 2 []Service
ServicePort
 name 1 string?
 protocol 2 string?<Protocol> :="TCP"
 appProtocol 6 *string?
 port 3 int32
 targetPort 4 intstr.IntOrString?
 nodePort 5 int32?
ServiceProxyOptions kind
 path 1 string?
ServiceSpec
 ports 1 []ServicePort? =map:port,protocol ~merge:port
 selector 2 {}string? =atomic
 clusterIP 3 string?
 clusterIPs 18 []string? =atomic
 type 4 string?<ServiceType>
 externalIPs 5 []string? =atomic
 sessionAffinity 7 string?<ServiceAffinity>
 loadBalancerIP 8 string?
 loadBalancerSourceRanges 9 []string? =atomic
 externalName 10 string?
 externalTrafficPolicy 11 string?<ServiceExternalTrafficPolicy>
 healthCheckNodePort 12 int32?
 publishNotReadyAddresses 13 bool?
 sessionAffinityConfig 14 *SessionAffinityConfig?
 ipFamilies 19 []string?<IPFamily> =atomic
 ipFamilyPolicy 17 *string?<IPFamilyPolicy>
 allocateLoadBalancerNodePorts 20 *bool?
 loadBalancerClass 21 *string?
 internalTrafficPolicy 22 *string?<ServiceInternalTrafficPolicy>
 trafficDistribution 23 *string?
ServiceStatus
 loadBalancer 1 LoadBalancerStatus?
 conditions 2 []meta.Condition? =map:type ~merge:type
SessionAffinityConfig
 clientIP 1 *ClientIPConfig?
SleepAction
 seconds 1 int64
StorageOSPersistentVolumeSource
 volumeName 1 string?
 volumeNamespace 2 string?
 fsType 3 string?
 readOnly 4 bool?
 secretRef 5 *ObjectReference?
StorageOSVolumeSource
 volumeName 1 string?
 volumeNamespace 2 string?
 fsType 3 string?
 readOnly 4 bool?
 secretRef 5 *LocalObjectReference?
Sysctl
 name 1 string
 value 2 string
TCPSocketAction
 port 1 intstr.IntOrString
 host 2 string?
Taint
 key 1 string
 value 2 string?
 effect 3 string<TaintEffect>
 timeAdded 4 *meta.Time?
Toleration
 key 1 string?
 operator 2 string?<TolerationOperator>
 value 3 string?
 effect 4 string?<TaintEffect>
 tolerationSeconds 5 *int64?
TopologySelectorLabelRequirement
 key 1 string
 values 2 []string =atomic
TopologySelectorTerm atomic
 matchLabelExpressions 1 []TopologySelectorLabelRequirement? =atomic
TopologySpreadConstraint
 maxSkew 1 int32
 topologyKey 2 string
 whenUnsatisfiable 3 string<UnsatisfiableConstraintAction>
 labelSelector 4 *meta.LabelSelector?
 minDomains 5 *int32?
 nodeAffinityPolicy 6 *string?<NodeInclusionPolicy>
 nodeTaintsPolicy 7 *string?<NodeInclusionPolicy>
 matchLabelKeys 8 []string? =atomic
TypedLocalObjectReference atomic
 apiGroup 1 *string+
 kind 2 string
 name 3 string
TypedObjectReference
 apiGroup 1 *string+
 kind 2 string
 name 3 string
 namespace 4 *string?
Volume
 name 1 string
 volumeSource 2 &VolumeSource
VolumeDevice
 name 1 string
 devicePath 2 string
VolumeMount
 name 1 string
 readOnly 2 bool?
 recursiveReadOnly 7 *string?<RecursiveReadOnlyMode>
 mountPath 3 string
 subPath 4 string?
 mountPropagation 5 *string?<MountPropagationMode>
 subPathExpr 6 string?
VolumeMountStatus
 name 1 string
 mountPath 2 string
 readOnly 3 bool?
 recursiveReadOnly 4 *string?<RecursiveReadOnlyMode>
VolumeNodeAffinity
 required 1 *NodeSelector?
VolumeProjection
 secret 1 *SecretProjection?
 downwardAPI 2 *DownwardAPIProjection?
 configMap 3 *ConfigMapProjection?
 serviceAccountToken 4 *ServiceAccountTokenProjection?
 clusterTrustBundle 5 *ClusterTrustBundleProjection?
 podCertificate 6 *PodCertificateProjection?
VolumeResourceRequirements
 limits 1 {}resource.Quantity?<=ResourceList>
 requests 2 {}resource.Quantity?<=ResourceList>
VolumeSource
 hostPath 1 *HostPathVolumeSource?
 emptyDir 2 *EmptyDirVolumeSource?
 gcePersistentDisk 3 *GCEPersistentDiskVolumeSource?
 awsElasticBlockStore 4 *AWSElasticBlockStoreVolumeSource?
 gitRepo 5 *GitRepoVolumeSource?
 secret 6 *SecretVolumeSource?
 nfs 7 *NFSVolumeSource?
 iscsi 8 *ISCSIVolumeSource?
 glusterfs 9 *GlusterfsVolumeSource?
 persistentVolumeClaim 10 *PersistentVolumeClaimVolumeSource?
 rbd 11 *RBDVolumeSource?
 flexVolume 12 *FlexVolumeSource?
 cinder 13 *CinderVolumeSource?
 cephfs 14 *CephFSVolumeSource?
 flocker 15 *FlockerVolumeSource?
 downwardAPI 16 *DownwardAPIVolumeSource?
 fc 17 *FCVolumeSource?
 azureFile 18 *AzureFileVolumeSource?
 configMap 19 *ConfigMapVolumeSource?
 vsphereVolume 20 *VsphereVirtualDiskVolumeSource?
 quobyte 21 *QuobyteVolumeSource?
 azureDisk 22 *AzureDiskVolumeSource?
 photonPersistentDisk 23 *PhotonPersistentDiskVolumeSource?
 projected 26 *ProjectedVolumeSource?
 portworxVolume 24 *PortworxVolumeSource?
 scaleIO 25 *ScaleIOVolumeSource?
 storageos 27 *StorageOSVolumeSource?
 csi 28 *CSIVolumeSource?
 ephemeral 29 *EphemeralVolumeSource?
 image 30 *ImageVolumeSource?
VsphereVirtualDiskVolumeSource
 volumePath 1 string
 fsType 2 string?
 storagePolicyName 3 string?
 storagePolicyID 4 string?
WeightedPodAffinityTerm
 weight 1 int32
 podAffinityTerm 2 PodAffinityTerm
WindowsSecurityContextOptions
 gmsaCredentialSpecName 1 *string?
 gmsaCredentialSpec 2 *string?
 runAsUserName 3 *string?
 hostProcess 4 *bool?
`,
};
