import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { duplicate, forbidden, invalid, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { checkIp, checkLabel, checkSubdomain } from '#kube/names.ts';
import { checkItems, complain, neededWord, optionalWord, portNumber, portOrName } from './checks.ts';
import { specOf, textOf } from '#base/json-edit.ts';
import { checkLabels } from '#kube/metadata/metadata.ts';

export const isHeadless = (spec: JsonObject): boolean =>
  spec['clusterIP'] === 'None' || listAt(spec, 'clusterIPs')[0] === 'None';

/** A service, in the server's order. */
export function checkService(service: JsonObject): FieldError[] {
  const spec = specOf(service);
  const errors: FieldError[] = [];
  const type = textOf(spec['type']);
  if (listAt(spec, 'ports').length === 0 && !isHeadless(spec) && type !== 'ExternalName') {
    errors.push(required('spec.ports'));
  }
  checkByType(spec, type, errors);
  checkPorts(spec, errors);
  checkLabels(spec['selector'], 'spec.selector', errors);
  checkAffinity(spec, errors);
  if (type !== 'ExternalName') checkAddresses(spec, errors);
  listAt(spec, 'externalIPs').forEach((ip, i) => {
    complain(textOf(ip), `spec.externalIPs[${i}]`, checkIp(textOf(ip)), errors);
  });
  neededWord('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort')(type, 'spec.type', errors);
  checkNodePorts(spec, type, errors);
  checkSamePorts(spec, errors);
  checkTraffic(spec, type, errors);
  return errors;
}

function checkByType(spec: JsonObject, type: string, errors: FieldError[]): void {
  if (type === 'ExternalName') {
    if (listAt(spec, 'clusterIPs').length > 0) {
      errors.push(forbidden('spec.clusterIPs', 'may not be set for ExternalName services'));
    }
    const name = textOf(spec['externalName']).replace(/\.$/, '');
    if (name === '') errors.push(required('spec.externalName'));
    else complain(name, 'spec.externalName', checkSubdomain(name), errors);
  } else if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    errors.push(invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  }
}

const protocol = neededWord('SCTP', 'TCP', 'UDP');

function checkPorts(spec: JsonObject, errors: FieldError[]): void {
  const names = new Set<string>();
  const needsName = listAt(spec, 'ports').length > 1;
  const check = (port: JsonObject, path: string): void => {
    const name = textOf(port['name']);
    if (name === '') {
      if (needsName) errors.push(required(`${path}.name`));
    } else {
      complain(name, `${path}.name`, checkLabel(name), errors);
      if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
      names.add(name);
    }
    portNumber(port['port'], `${path}.port`, errors);
    protocol(port['protocol'], `${path}.protocol`, errors);
    portOrName(port['targetPort'], `${path}.targetPort`, errors);
  };
  checkItems(spec['ports'], 'spec.ports', check, errors);
}

function checkAffinity(spec: JsonObject, errors: FieldError[]): void {
  neededWord('ClientIP', 'None')(spec['sessionAffinity'], 'spec.sessionAffinity', errors);
  const config = spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] === 'None' && isObject(config)) {
    errors.push(forbidden('spec.sessionAffinityConfig', 'must not be set when session affinity is None'));
  }
  const seconds = objectAt(config, 'clientIP')?.['timeoutSeconds'];
  if (
    spec['sessionAffinity'] === 'ClientIP' &&
    typeof seconds === 'number' &&
    (seconds <= 0 || seconds > 86_400)
  ) {
    const text = 'must be greater than 0 and less than 86400';
    errors.push(invalid('spec.sessionAffinityConfig.clientIP.timeoutSeconds', seconds, text));
  }
}

function checkAddresses(spec: JsonObject, errors: FieldError[]): void {
  const addresses = listAt(spec, 'clusterIPs').map(textOf);
  const single = textOf(spec['clusterIP']);
  const list = addresses.length === 0 && single !== '' ? [single] : addresses;
  list.forEach((address, i) => {
    if (address === 'None' && i === 0) return;
    complain(address, `spec.clusterIPs[${i}]`, checkIp(address), errors);
  });
  if (list.length > 0 && single !== '' && list[0] !== single) {
    errors.push(invalid('spec.clusterIP', single, 'first value of `clusterIPs` must match `clusterIP`'));
  }
  listAt(spec, 'ipFamilies').forEach((family, i) => {
    optionalWord('IPv4', 'IPv6')(family, `spec.ipFamilies[${i}]`, errors);
  });
  optionalWord('SingleStack', 'PreferDualStack', 'RequireDualStack')(
    spec['ipFamilyPolicy'],
    'spec.ipFamilyPolicy',
    errors,
  );
}

function checkNodePorts(spec: JsonObject, type: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  const check = (port: JsonObject, path: string): void => {
    const number = Number(port['nodePort'] ?? 0);
    if (number === 0) return;
    if (type === 'ClusterIP') {
      errors.push(forbidden(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    }
    const key = `${textOf(port['protocol'])}/${number}`;
    if (seen.has(key)) errors.push(duplicate(`${path}.nodePort`, number));
    seen.add(key);
  };
  checkItems(spec['ports'], 'spec.ports', check, errors);
}

function checkSamePorts(spec: JsonObject, errors: FieldError[]): void {
  const seen = new Set<string>();
  const check = (port: JsonObject, path: string): void => {
    const key = `${textOf(port['protocol'])}/${Number(port['port'] ?? 0)}`;
    if (seen.has(key))
      errors.push(duplicate(path, { protocol: port['protocol'] ?? '', port: port['port'] ?? 0 }));
    seen.add(key);
  };
  checkItems(spec['ports'], 'spec.ports', check, errors);
}

function checkTraffic(spec: JsonObject, type: string, errors: FieldError[]): void {
  const external = textOf(spec['externalTrafficPolicy']);
  const isOutside = type === 'NodePort' || type === 'LoadBalancer' || listAt(spec, 'externalIPs').length > 0;
  if (!isOutside && external !== '') {
    const text = 'may only be set for externally-accessible services';
    errors.push(invalid('spec.externalTrafficPolicy', external, text));
  } else if (isOutside && external !== 'Cluster' && external !== 'Local') {
    errors.push(notSupported('spec.externalTrafficPolicy', external, ['Cluster', 'Local']));
  }
  optionalWord('Cluster', 'Local')(spec['internalTrafficPolicy'], 'spec.internalTrafficPolicy', errors);
}

/** The checks of a service's status. */
export function checkServiceStatus(service: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const ingress = listAt(service, 'status', 'loadBalancer', 'ingress');
  if (ingress.length > 0 && textAt(service, 'spec', 'type') !== 'LoadBalancer') {
    const text = "may only be used when `spec.type` is 'LoadBalancer'";
    errors.push(forbidden('status.loadBalancer.ingress', text));
  }
  ingress.forEach((each: Json, i) => {
    const ip = textAt(each, 'ip') ?? '';
    if (ip !== '') complain(ip, `status.loadBalancer.ingress[${i}].ip`, checkIp(ip), errors);
  });
  return errors;
}
