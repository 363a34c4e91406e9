import { isObject, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { invalid, required, type FieldError } from '#kube/field-error.ts';
import { checkSubdomain, isIpv4 } from '#kube/names.ts';
import { checkItems, complain, needed, optionalWord, type ItemCheck } from './checks.ts';
import { specOf, textOf } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { statusRules } from './status-rules.ts';

function check(ingress: JsonObject): FieldError[] {
  const spec = specOf(ingress);
  const errors: FieldError[] = [];
  const backend = spec['defaultBackend'];
  if (listAt(spec, 'rules').length === 0 && !isObject(backend)) {
    const text = 'either `defaultBackend` or `rules` must be specified';
    errors.push(invalid('spec', spec['rules'] ?? [], text));
  }
  if (isObject(backend)) checkBackend(backend, 'spec.defaultBackend', errors);
  checkItems(spec['rules'], 'spec.rules', checkRule, errors);
  return errors;
}

const checkRule: ItemCheck = (rule, path, errors) => {
  const host = textOf(rule['host']);
  if (isIpv4(host)) errors.push(invalid(`${path}.host`, host, 'must be a DNS name, not an IP address'));
  else if (host !== '') complain(host, `${path}.host`, checkSubdomain(host.replace(/^\*\./, '')), errors);
  const http = rule['http'];
  if (!isObject(http)) return;
  if (listAt(http, 'paths').length === 0) errors.push(required(`${path}.http.paths`));
  checkItems(http['paths'], `${path}.http.paths`, checkPath, errors);
};

const pathType = optionalWord('Exact', 'ImplementationSpecific', 'Prefix');

const checkPath: ItemCheck = (item, path, errors) => {
  const text = textOf(item['path']);
  const type = textOf(item['pathType']);
  if (type === '') errors.push(required(`${path}.pathType`, 'pathType must be specified'));
  else pathType(type, `${path}.pathType`, errors);
  const needsPath = type === 'Exact' || type === 'Prefix';
  if (!text.startsWith('/') && (needsPath || text !== '')) {
    errors.push(invalid(`${path}.path`, text, 'must be an absolute path'));
  }
  checkBackend(objectAt(item, 'backend') ?? {}, `${path}.backend`, errors);
};

function checkBackend(backend: JsonObject, path: string, errors: FieldError[]): void {
  const [service, resource] = [backend['service'], backend['resource']];
  if (isObject(resource)) {
    if (isObject(service)) errors.push(invalid(path, '', 'cannot set both resource and service backends'));
    return;
  }
  if (!isObject(service)) {
    errors.push(required(`${path}.service`, 'must specify service backend'));
    return;
  }
  needed(textAt(service, 'name'), `${path}.service.name`, errors);
  const port = objectAt(service, 'port') ?? {};
  if (port['name'] === undefined && port['number'] === undefined) {
    errors.push(required(`${path}.service`, 'port name or number is required'));
  } else if (port['name'] !== undefined && port['number'] !== undefined) {
    errors.push(invalid(`${path}.service`, '', 'cannot set both port name & port number'));
  }
}

export const ingressRules: KindRules = kindRules({
  ...statusRules(() => ({ loadBalancer: {} })),
  validateCreate: check,
  validateUpdate: check,
  generation: 'spec',
});

function checkClass(ingressClass: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  needed(textAt(ingressClass, 'spec', 'controller'), 'spec.controller', errors);
  return errors;
}

export const ingressClassRules: KindRules = kindRules({
  validateCreate: checkClass,
  validateUpdate: (ingressClass, old) => {
    const controller = textAt(ingressClass, 'spec', 'controller') ?? '';
    const errors = checkClass(ingressClass);
    if (controller !== textAt(old, 'spec', 'controller')) {
      errors.push(invalid('spec.controller', controller, 'field is immutable'));
    }
    return errors;
  },
  generation: 'spec',
});
