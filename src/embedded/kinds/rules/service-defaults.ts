import { isObject, listAt, textAt, type JsonObject } from '#base/json.ts';
import { editItems, editMember, withField, withMissing } from '#base/json-edit.ts';

const reachable = new Set(['ClusterIP', 'NodePort', 'LoadBalancer']);

/** Defaults: type ClusterIP, no session affinity, target port equal to the port. */
export const defaultService = (service: JsonObject): JsonObject => editMember(service, 'spec', defaultSpec);

function defaultSpec(given: JsonObject): JsonObject {
  let spec = withMissing(given, { sessionAffinity: 'None', type: 'ClusterIP' });
  spec = defaultAffinity(editItems(spec, 'ports', defaultPort));
  const type = textAt(spec, 'type') ?? '';
  if (isOutside(type) || (type === 'ClusterIP' && listAt(spec, 'externalIPs').length > 0)) {
    spec = withMissing(spec, { externalTrafficPolicy: 'Cluster' });
  }
  if (reachable.has(type)) spec = withMissing(spec, { internalTrafficPolicy: 'Cluster' });
  return type === 'LoadBalancer' ? withMissing(spec, { allocateLoadBalancerNodePorts: true }) : spec;
}

const isOutside = (type: string): boolean => type === 'NodePort' || type === 'LoadBalancer';

function defaultPort(port: JsonObject): JsonObject {
  const result = withMissing(port, { protocol: 'TCP' });
  const target = result['targetPort'];
  const isUnset = target === undefined || target === 0 || target === '';
  return isUnset ? withField(result, 'targetPort', result['port']) : result;
}

function defaultAffinity(spec: JsonObject): JsonObject {
  if (spec['sessionAffinity'] === 'None') return withField(spec, 'sessionAffinityConfig', undefined);
  if (spec['sessionAffinity'] !== 'ClientIP' || isObject(spec['sessionAffinityConfig'])) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } };
}
