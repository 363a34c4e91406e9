import { isObject, listAt, type JsonObject } from '#base/json.ts';
import { invalid, notSupported, type FieldError } from '#kube/field-error.ts';
import { checkCidr } from '#kube/names.ts';
import { checkItems, complain, optionalWord, portOrName, type ItemCheck } from './checks.ts';
import { editItems, editMember, specOf, textOf, withMissing } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { checkLabelSelector } from './selector-checks.ts';

const withPorts = (rule: JsonObject): JsonObject =>
  editItems(rule, 'ports', (port) => withMissing(port, { protocol: 'TCP' }));

/** Policy types default to Ingress, and Egress if there are egress rules. */
function defaultSpec(spec: JsonObject): JsonObject {
  const rules = editItems(editItems(spec, 'ingress', withPorts), 'egress', withPorts);
  const types = listAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  return withMissing(rules, { podSelector: {}, policyTypes: types });
}

function check(policy: JsonObject): FieldError[] {
  const spec = specOf(policy);
  const errors: FieldError[] = [];
  checkLabelSelector(spec['podSelector'], 'spec.podSelector', errors);
  for (const [key, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    const checkRule: ItemCheck = (rule, path) => {
      checkItems(rule['ports'], `${path}.ports`, checkPort, errors);
      checkItems(rule[peers], `${path}.${peers}`, checkPeer, errors);
    };
    checkItems(spec[key], `spec.${key}`, checkRule, errors);
  }
  const types = listAt(spec, 'policyTypes').map(textOf);
  if (types.length > 2)
    errors.push(invalid('spec.policyTypes', types, 'may not specify more than two policyTypes'));
  else {
    types.forEach((type, i) => {
      if (type === 'Ingress' || type === 'Egress') return;
      errors.push(notSupported(`spec.policyTypes[${i}]`, type, ['Egress', 'Ingress']));
    });
  }
  return errors;
}

const checkPort: ItemCheck = (port, path, errors) => {
  optionalWord('SCTP', 'TCP', 'UDP')(port['protocol'], `${path}.protocol`, errors);
  if (port['port'] !== undefined) portOrName(port['port'], `${path}.port`, errors);
};

const checkPeer: ItemCheck = (peer, path, errors) => {
  checkLabelSelector(peer['podSelector'], `${path}.podSelector`, errors);
  checkLabelSelector(peer['namespaceSelector'], `${path}.namespaceSelector`, errors);
  const block = peer['ipBlock'];
  if (!isObject(block)) return;
  complain(textOf(block['cidr']), `${path}.ipBlock.cidr`, checkCidr(textOf(block['cidr'])), errors);
};

export const networkPolicyRules: KindRules = kindRules({
  defaults: (policy) => editMember(policy, 'spec', defaultSpec),
  validateCreate: check,
  validateUpdate: check,
  generation: 'spec',
});
