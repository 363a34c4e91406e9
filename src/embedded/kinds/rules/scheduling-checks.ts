import { isObject, listAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { duplicate, invalid, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { checkLabelValue, checkQualifiedName } from '#kube/names.ts';
import { checkItems, complain, named, optionalWord, type ItemCheck } from './checks.ts';
import { textOf } from '#base/json-edit.ts';
import { checkLabelSelector, checkSelectorOperator, nodeOperators } from './selector-checks.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** One toleration of a pod. */
export const checkToleration: ItemCheck = (toleration, path, errors) => {
  const key = textOf(toleration['key']);
  const operator = textOf(toleration['operator']);
  const effect = textOf(toleration['effect']);
  named(checkQualifiedName)(key, `${path}.key`, errors);
  if (key === '' && operator !== 'Exists') {
    const text = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalid(`${path}.operator`, operator, text));
  }
  if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute') {
    errors.push(
      invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    );
  }
  checkOperator(operator, textOf(toleration['value']), path, errors);
  optionalWord(...effects)(effect, `${path}.effect`, errors);
};

function checkOperator(operator: string, value: string, path: string, errors: FieldError[]): void {
  const field = `${path}.operator`;
  if (operator === 'Equal' || operator === '') {
    const complaints = checkLabelValue(value);
    if (complaints.length > 0) errors.push(invalid(field, value, complaints.join(';')));
  } else if (operator !== 'Exists') {
    errors.push(notSupported(field, operator, ['Equal', 'Exists']));
  } else if (value !== '') {
    errors.push(invalid(field, value, "value must be empty when `operator` is 'Exists'"));
  }
}

/** A taint's effect, which must be there. */
export function checkTaintEffect(effect: Json | undefined, field: string, errors: FieldError[]): void {
  if (effect === undefined || effect === '') errors.push(required(field));
  else optionalWord(...effects)(effect, field, errors);
}

export function checkGates(gates: Json | undefined, path: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  checkItems(
    gates,
    path,
    (gate, at) => {
      const name = textOf(gate['name']);
      complain(name, at, checkQualifiedName(name), errors);
      if (seen.has(name)) errors.push(duplicate(at, name));
      seen.add(name);
    },
    errors,
  );
}

const whenUnsatisfiable = optionalWord('DoNotSchedule', 'ScheduleAnyway');

export const checkSpread: ItemCheck = (constraint, path, errors) => {
  const skew = Number(constraint['maxSkew'] ?? 0);
  if (skew <= 0) errors.push(invalid(`${path}.maxSkew`, skew, 'must be greater than zero'));
  const key = textOf(constraint['topologyKey']);
  if (key === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'));
  else complain(key, `${path}.topologyKey`, checkQualifiedName(key), errors);
  whenUnsatisfiable(constraint['whenUnsatisfiable'], `${path}.whenUnsatisfiable`, errors);
  checkLabelSelector(constraint['labelSelector'], `${path}.labelSelector`, errors);
};

/** Node and pod affinity. */
export function checkAffinity(affinity: JsonObject, path: string, errors: FieldError[]): void {
  const nodes = objectAt(affinity, 'nodeAffinity');
  if (nodes !== undefined) checkNodeAffinity(nodes, `${path}.nodeAffinity`, errors);
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const pods = objectAt(affinity, kind);
    if (pods !== undefined) checkPodAffinity(pods, `${path}.${kind}`, errors);
  }
}

function checkNodeAffinity(affinity: JsonObject, path: string, errors: FieldError[]): void {
  const hard = objectAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution');
  if (hard !== undefined) {
    const field = `${path}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
    const terms = listAt(hard, 'nodeSelectorTerms');
    if (terms.length === 0) errors.push(required(field, 'must have at least one node selector term'));
    checkItems(terms, field, checkNodeTerm, errors);
  }
  const weighted: ItemCheck = (term, at, errors) => {
    checkWeight(term, at, errors);
    checkNodeTerm(objectAt(term, 'preference') ?? {}, `${at}.preference`, errors);
  };
  const soft = 'preferredDuringSchedulingIgnoredDuringExecution';
  checkItems(affinity[soft], `${path}.${soft}`, weighted, errors);
}

const checkWeight: ItemCheck = (term, path, errors) => {
  const weight = Number(term['weight'] ?? 0);
  if (weight < 1 || weight > 100)
    errors.push(invalid(`${path}.weight`, weight, 'must be in the range 1-100'));
};

const checkNodeTerm: ItemCheck = (term, path, errors) => {
  checkItems(term['matchExpressions'], `${path}.matchExpressions`, checkNodeRequirement, errors);
  checkItems(term['matchFields'], `${path}.matchFields`, checkNodeRequirement, errors);
};

const checkNodeRequirement: ItemCheck = (requirement, path, errors) =>
  checkSelectorOperator(requirement, path, errors, nodeOperators);

function checkPodAffinity(affinity: JsonObject, path: string, errors: FieldError[]): void {
  const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
  const soft = 'preferredDuringSchedulingIgnoredDuringExecution';
  checkItems(affinity[hard], `${path}.${hard}`, checkPodTerm, errors);
  const weighted: ItemCheck = (term, at, errors) => {
    checkWeight(term, at, errors);
    const inner = term['podAffinityTerm'];
    checkPodTerm(isObject(inner) ? inner : {}, `${at}.podAffinityTerm`, errors);
  };
  checkItems(affinity[soft], `${path}.${soft}`, weighted, errors);
}

const checkPodTerm: ItemCheck = (term, path, errors) => {
  checkLabelSelector(term['labelSelector'], `${path}.labelSelector`, errors);
  const key = textOf(term['topologyKey']);
  if (key === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'));
  else complain(key, `${path}.topologyKey`, checkQualifiedName(key), errors);
};
