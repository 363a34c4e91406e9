import type { TypePackage } from './type-package.ts';

/** Every type of discovery.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const discoveryV1: TypePackage = {
  name: 'io.k8s.api.discovery.v1',
  alias: 'discovery',
  group: 'discovery.k8s.io',
  version: 'v1',
  lines: `
Endpoint
 addresses 1 []string =set
 conditions 2 EndpointConditions?
 hostname 3 *string?
 targetRef 4 *core.ObjectReference?
 deprecatedTopology 5 {}string?
 nodeName 6 *string?
 zone 7 *string?
 hints 8 *EndpointHints?
EndpointConditions
 ready 1 *bool?
 serving 2 *bool?
 terminating 3 *bool?
EndpointHints
 forZones 1 []ForZone? =atomic
 forNodes 2 []ForNode? =atomic
EndpointPort atomic
 name 1 *string?
 protocol 2 *string?<Protocol>
 port 3 *int32?
 appProtocol 4 *string?
EndpointSlice kind
 metadata 1 meta.ObjectMeta?
 addressType 4 string<AddressType>
 endpoints 2 []Endpoint =atomic
 ports 3 []EndpointPort+ =atomic
EndpointSliceList kind
 metadata 1 meta.ListMeta?
 items 2 []EndpointSlice
ForNode
 name 1 string
ForZone
 name 1 string
`,
};
