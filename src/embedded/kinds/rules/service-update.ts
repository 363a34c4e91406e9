import { equalJson, isObject, listAt, type Json, type JsonObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { editItems, specOf, textOf, withField } from '#base/json-edit.ts';
import { goStrings, invalidAs } from '#kube/metadata/go-values.ts';

/** What an update of a service keeps although it was left out, and drops because the new type has no use for it. */
export function prepareServiceUpdate(service: JsonObject, old: JsonObject): JsonObject {
  const before = specOf(old);
  let spec = specOf(service);
  spec = syncAddresses(spec, before);
  spec = keepAllocated(spec, before);
  spec = dropUnused(spec, before);
  return withField(withField(service, 'spec', spec), 'status', old['status']);
}

/** On create the two spellings of the address agree. */
export function syncNewAddresses(spec: JsonObject): JsonObject {
  const single = textOf(spec['clusterIP']);
  return single !== '' && listAt(spec, 'clusterIPs').length === 0 ? { ...spec, clusterIPs: [single] } : spec;
}

const isEmptyText = (value: Json | undefined): boolean => textOf(value) === '';

function syncAddresses(spec: JsonObject, before: JsonObject): JsonObject {
  const sameList = equalJson(spec['clusterIPs'], before['clusterIPs']);
  const sameSingle = textOf(spec['clusterIP']) === textOf(before['clusterIP']);
  if (isEmptyText(before['clusterIP'])) return syncNewAddresses(spec);
  if (isEmptyText(spec['clusterIP']) && sameList) return without(spec, 'clusterIPs');
  if (listAt(spec, 'clusterIPs').length === 0 && sameSingle) return without(spec, 'clusterIP');
  if (!sameSingle && sameList && !isEmptyText(spec['clusterIP'])) {
    return { ...spec, clusterIPs: [spec['clusterIP'] ?? '', ...listAt(spec, 'clusterIPs').slice(1)] };
  }
  return spec;
}

const without = (spec: JsonObject, key: string): JsonObject =>
  withField(withField(spec, key, undefined), key === 'clusterIP' ? 'clusterIPs' : 'clusterIP', undefined);

export const needsAddress = (spec: JsonObject): boolean =>
  spec['type'] === 'ClusterIP' || spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';

export const needsNodePort = (spec: JsonObject): boolean =>
  spec['type'] === 'NodePort' ||
  (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);

function keepAllocated(given: JsonObject, before: JsonObject): JsonObject {
  let spec = given;
  if (needsAddress(before) && needsAddress(spec)) {
    for (const key of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
      if (spec[key] === undefined && before[key] !== undefined) spec = withField(spec, key, before[key]);
    }
  }
  if (!needsNodePort(before) || !needsNodePort(spec)) return spec;
  const used = new Set(nodePorts(spec));
  const byName = new Map(
    listAt(before, 'ports')
      .filter(isObject)
      .map((port) => [textOf(port['name']), port['nodePort']]),
  );
  return editItems(spec, 'ports', (port) => {
    const known = byName.get(textOf(port['name']));
    if (port['nodePort'] !== undefined || typeof known !== 'number' || used.has(known)) return port;
    return { ...port, nodePort: known };
  });
}

const nodePorts = (spec: JsonObject): readonly number[] =>
  listAt(spec, 'ports').map((port) => (isObject(port) ? Number(port['nodePort'] ?? 0) : 0));

const isOutside = (spec: JsonObject): boolean =>
  spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer' || listAt(spec, 'externalIPs').length > 0;
const isBalanced = (spec: JsonObject): boolean => spec['type'] === 'LoadBalancer';

/** Which fields go when a service stops being of a kind, unless the update touched them. */
const uses: readonly (readonly [(spec: JsonObject) => boolean, readonly string[]])[] = [
  [needsAddress, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']],
  [isBalanced, ['loadBalancerClass', 'allocateLoadBalancerNodePorts', 'healthCheckNodePort']],
  [isOutside, ['externalTrafficPolicy']],
];

function dropUnused(given: JsonObject, before: JsonObject): JsonObject {
  let spec = given;
  for (const [isUsed, keys] of uses) {
    if (!isUsed(before) || isUsed(given)) continue;
    for (const key of keys) if (equalJson(spec[key], before[key])) spec = withField(spec, key, undefined);
  }
  const portsGo =
    needsNodePort(before) && !needsNodePort(given) && equalJson(nodePorts(given), nodePorts(before));
  return portsGo ? editItems(spec, 'ports', (port) => withField(port, 'nodePort', undefined)) : spec;
}

/** The first address and family of a service stay as long as it has any. */
export function checkServiceUpdate(service: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, before] = [specOf(service), specOf(old)];
  if (!needsAddress(spec) || !needsAddress(before)) return [];
  const errors: FieldError[] = [];
  for (const key of ['clusterIPs', 'ipFamilies']) {
    const [now, then] = [listAt(spec, key).map(textOf), listAt(before, key).map(textOf)];
    if (then.length > 0 && now[0] !== then[0]) {
      errors.push(invalidAs(`spec.${key}[0]`, goStrings(now), 'may not change once set'));
    }
  }
  return errors;
}
