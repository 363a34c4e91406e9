import type { Random } from '#base/random.ts';
import { formatTime, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { GraphNode } from './node.ts';
import type { OwnerReference } from './owner-reference.ts';

/** The event about a reference to an owner that may not own the object. */
export function invalidOwnerEvent(
  node: GraphNode,
  owner: OwnerReference,
  now: Instant,
  random: Random,
): KubeObject {
  const namespace = node.namespace === '' ? 'default' : node.namespace;
  const time = formatTime(now);
  const shown = `[${owner.apiVersion}/${owner.kind}, namespace: ${node.namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName(node.name, random), namespace },
    involvedObject: {
      kind: node.resource.kind,
      apiVersion: groupVersion(node.resource),
      name: node.name,
      uid: node.uid,
      ...(node.namespace === '' ? {} : { namespace: node.namespace }),
    },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${shown} does not exist in namespace "${node.namespace}"`,
    source: { component: 'garbage-collector-controller' },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Warning',
    reportingComponent: 'garbage-collector-controller',
    reportingInstance: '',
  };
}

const groupVersion = ({ group, version }: Resource): string =>
  group === '' ? version : `${group}/${version}`;

/** The object's name and sixteen hexadecimal digits. */
const eventName = (name: string, random: Random): string =>
  `${name.slice(0, 236)}.${random.uuid().replaceAll('-', '').slice(16)}`;
