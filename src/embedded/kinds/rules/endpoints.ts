import { listAt, type JsonObject } from '#base/json.ts';
import { invalid, required, tooMany, type FieldError } from '#kube/field-error.ts';
import { checkIp, checkLabel, checkPortName, isIpv4, isIpv6 } from '#kube/names.ts';
import { checkItems, complain, named, neededWord, portNumber, type ItemCheck } from './checks.ts';
import { editItems, textOf, withMissing } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

const withProtocol = (port: JsonObject): JsonObject => withMissing(port, { protocol: 'TCP' });
const protocol = neededWord('SCTP', 'TCP', 'UDP');

const checkAddress: ItemCheck = (address, path, errors) => {
  const ip = textOf(address['ip']);
  complain(ip, `${path}.ip`, checkIp(ip), errors);
  named(checkLabel)(address['hostname'], `${path}.hostname`, errors);
  if (ip.startsWith('127.') || ip === '::1') {
    errors.push(invalid(`${path}.ip`, ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  }
  if (ip === '0.0.0.0' || ip === '::') {
    errors.push(invalid(`${path}.ip`, ip, `may not be unspecified (${ip})`));
  }
};

const checkSubset: ItemCheck = (subset, path, errors) => {
  const { addresses, notReadyAddresses, ports } = subset;
  if (listAt(subset, 'addresses').length === 0 && listAt(subset, 'notReadyAddresses').length === 0) {
    errors.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
  }
  checkItems(addresses, `${path}.addresses`, checkAddress, errors);
  checkItems(notReadyAddresses, `${path}.notReadyAddresses`, checkAddress, errors);
  const needsName = listAt(subset, 'ports').length > 1;
  const checkPort: ItemCheck = (port, at) => {
    const name = textOf(port['name']);
    if (needsName && name === '') errors.push(required(`${at}.name`));
    named(checkLabel)(name, `${at}.name`, errors);
    portNumber(port['port'], `${at}.port`, errors);
    protocol(port['protocol'], `${at}.protocol`, errors);
  };
  checkItems(ports, `${path}.ports`, checkPort, errors);
};

function checkEndpoints(endpoints: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  checkItems(endpoints['subsets'], 'subsets', checkSubset, errors);
  return errors;
}

export const endpointsRules: KindRules = kindRules({
  defaults: (endpoints) =>
    editItems(endpoints, 'subsets', (subset) => editItems(subset, 'ports', withProtocol)),
  validateCreate: checkEndpoints,
  validateUpdate: (endpoints, old) =>
    endpoints['subsets'] === old['subsets'] ? [] : checkEndpoints(endpoints),
  allowCreateOnUpdate: true,
});

const families: Readonly<Record<string, (address: string) => boolean>> = { IPv4: isIpv4, IPv6: isIpv6 };

function checkSlice(slice: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const type = textOf(slice['addressType']);
  neededWord('FQDN', 'IPv4', 'IPv6')(type, 'addressType', errors);
  const endpoints = listAt(slice, 'endpoints');
  if (endpoints.length > 1000) errors.push(tooMany('endpoints', endpoints.length, 1000));
  const checkEndpoint: ItemCheck = (endpoint, path) => {
    const addresses = listAt(endpoint, 'addresses');
    if (addresses.length === 0) errors.push(required(`${path}.addresses`, 'must contain at least 1 address'));
    if (addresses.length > 100) errors.push(tooMany(`${path}.addresses`, addresses.length, 100));
    addresses.forEach((address, i) => {
      const text = textOf(address);
      if (families[type]?.(text) ?? true) return;
      errors.push(invalid(`${path}.addresses[${i}]`, text, `must be a valid ${type} address`));
    });
    named(checkLabel)(endpoint['hostname'], `${path}.hostname`, errors);
  };
  checkItems(endpoints, 'endpoints', checkEndpoint, errors);
  checkItems(slice['ports'], 'ports', checkSlicePort, errors);
  return errors;
}

const checkSlicePort: ItemCheck = (port, path, errors) => {
  named(checkPortName)(port['name'], `${path}.name`, errors);
  protocol(port['protocol'], `${path}.protocol`, errors);
};

const slicePort = (port: JsonObject): JsonObject => withMissing(port, { name: '', protocol: 'TCP' });

export const endpointSliceRules: KindRules = kindRules({
  defaults: (slice) => editItems(slice, 'ports', slicePort),
  validateCreate: checkSlice,
  validateUpdate: (slice, old) => {
    const errors = checkSlice(slice);
    if (slice['addressType'] !== old['addressType']) {
      errors.push(invalid('addressType', slice['addressType'], 'field is immutable'));
    }
    return errors;
  },
  generation: 'content-and-labels',
  metaOnUpdate: 'create-and-update',
});
