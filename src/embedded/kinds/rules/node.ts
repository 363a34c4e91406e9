import { objectAt, type JsonObject } from '#base/json.ts';
import { duplicate, forbidden, invalid, type FieldError } from '#kube/field-error.ts';
import { checkCidr, checkLabelValue, checkQualifiedName } from '#kube/names.ts';
import { checkItems, complain } from './checks.ts';
import { keeping, specOf, textOf } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { checkTaintEffect } from './scheduling-checks.ts';

function check(node: JsonObject): FieldError[] {
  const spec = specOf(node);
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const checkTaint = (taint: JsonObject, path: string): void => {
    const [key, value] = [textOf(taint['key']), textOf(taint['value'])];
    complain(key, `${path}.key`, checkQualifiedName(key), errors);
    complain(value, `${path}.value`, checkLabelValue(value), errors);
    checkTaintEffect(taint['effect'], `${path}.effect`, errors);
    const pair = `${key}/${textOf(taint['effect'])}`;
    if (seen.has(pair)) errors.push(duplicate(path, taint));
    seen.add(pair);
  };
  checkItems(spec['taints'], 'spec.taints', checkTaint, errors);
  const cidr = textOf(spec['podCIDR']);
  if (cidr !== '') complain(cidr, 'spec.podCIDRs[0]', checkCidr(cidr), errors);
  return errors;
}

/** Set once, by the cloud provider or the controller manager. */
function checkUpdate(node: JsonObject, old: JsonObject): FieldError[] {
  const errors = check(node);
  const [spec, before] = [specOf(node), specOf(old)];
  const [cidr, oldCidr] = [textOf(spec['podCIDR']), textOf(before['podCIDR'])];
  if (oldCidr !== '' && cidr !== oldCidr) {
    errors.push(forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  const [provider, oldProvider] = [textOf(spec['providerID']), textOf(before['providerID'])];
  if (oldProvider !== '' && provider !== oldProvider) {
    errors.push(
      forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'),
    );
  }
  return errors;
}

function checkStatus(node: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const checkAddress = (address: JsonObject, path: string): void => {
    const pair = `${textOf(address['type'])}/${textOf(address['address'])}`;
    if (seen.has(pair)) errors.push(duplicate(path, address));
    seen.add(pair);
  };
  checkItems(objectAt(node, 'status')?.['addresses'], 'status.addresses', checkAddress, errors);
  const port = objectAt(node, 'status', 'daemonEndpoints', 'kubeletEndpoint')?.['Port'];
  if (typeof port === 'number' && port < 0) {
    errors.push(
      invalid('status.daemonEndpoints.kubeletEndpoint.Port', port, 'must be greater than or equal to 0'),
    );
  }
  return errors;
}

/** Unlike other kinds a node may bring its status when it registers. */
export const nodeRules: KindRules = kindRules({
  prepareUpdate: (node, old) => keeping(node, old, ['status']),
  prepareStatusUpdate: (node, old) => keeping(node, old, ['spec']),
  validateCreate: check,
  validateUpdate: checkUpdate,
  validateStatusUpdate: checkStatus,
  hasStatus: true,
  metaOnUpdate: 'create-and-update',
  selectableFields: { 'spec.unschedulable': (node) => String(specOf(node)['unschedulable'] === true) },
});
