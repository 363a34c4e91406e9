import { objectAt, listAt, isObject, at, textAt, type Json } from '#base/json.ts';
import type { Finding } from '#decide/hook/lint.ts';
import type { KubeObject } from '#kube/object.ts';
import { inspectCrd } from './inspect-crd.ts';
import { readRegistration } from './read-registration.ts';
import type { Registration } from './registration.ts';

/** What is wrong with a registration, or looks like a mistake; with its CRD at hand, also whether the two fit. */
export function lintRegistration(object: Json, crd?: KubeObject): readonly Finding[] {
  const read = readRegistration(object);
  if (read.type === 'refused')
    return read.errors.map(({ field, message }) => ({ severity: 'error', path: field, message }));
  const { registration, warnings } = read;
  return [
    ...warnings.map((message) => warn('spec', message)),
    ...hookWarnings(registration),
    ...(crd === undefined ? [] : crdFindings(registration, crd)),
  ];
}

const warn = (path: string, message: string, hint?: string): Finding => ({
  severity: 'warning',
  path,
  message,
  ...(hint === undefined ? {} : { hint }),
});

function hookWarnings({ hook, hookConditions, envsFromHook }: Registration): readonly Finding[] {
  if (hook === undefined) return [];
  const shapes = hook.capabilities.some((each) => each !== 'finalize');
  const isPlain = (hook.address.uri ?? 'http:').startsWith('http:');
  const found: readonly (Finding | false)[] = [
    !shapes &&
      hookConditions.length > 0 &&
      warn(
        'spec.workload.statusConfiguration.conditionsFromHook',
        'the hook is asked in finalize only and can report no condition, so Ready stays Unknown',
        'add pre-reconcile or post-reconcile to capabilities',
      ),
    !shapes &&
      envsFromHook.length > 0 &&
      warn(
        'spec.workload.parameterConfiguration.addEnvsFromHook',
        'the hook is asked in finalize only and can give no variables',
      ),
    isPlain &&
      hook.auth.bearer !== undefined &&
      warn(
        'spec.hook.auth.bearer',
        'the token goes over plain http, and anyone on the way can read it',
        'use https',
      ),
    isPlain &&
      hook.tls.clientCertificate !== undefined &&
      warn('spec.hook.tls.clientCertificate', 'is not shown over plain http', 'use https'),
  ];
  return found.filter((each) => each !== false);
}

function crdFindings(registration: Registration, crd: KubeObject): readonly Finding[] {
  const inspected = inspectCrd(crd);
  if (inspected.type === 'unusable')
    return [{ severity: 'error', path: 'spec.crd', message: inspected.message }];
  const { kind } = inspected;
  const version = listAt(crd, 'spec', 'versions').find((each) => textAt(each, 'name') === kind.version);
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  const status = kind.supports.subresource
    ? kind.supports.conditions
      ? []
      : [
          warn(
            'spec.crd',
            'the status of its instances has no conditions, so nothing can be told there',
            'conditions need type, status, reason, message and lastTransitionTime, all of type string',
          ),
        ]
    : [warn('spec.crd', 'its instances have no status subresource, so their status is never written')];
  return [...status, ...pathFindings(registration, schema)];
}

/** Rules about elements that instances cannot have. */
function pathFindings({ rules, skipped }: Registration, schema: Json | undefined): readonly Finding[] {
  return [...rules.keys(), ...skipped].flatMap((path) =>
    isKnown(schema, path.split('.'))
      ? []
      : [warn('spec.workload.parameterConfiguration', `${path} is no element of the CRD's schema`)],
  );
}

function isKnown(schema: Json | undefined, keys: readonly string[]): boolean {
  const [key, ...rest] = keys;
  if (key === undefined || schema === undefined) return true;
  if (at(schema, 'x-kubernetes-preserve-unknown-fields') === true) return true;
  const more = at(schema, 'additionalProperties');
  if (isObject(more)) return isKnown(more, rest);
  const properties = objectAt(schema, 'properties');
  return properties !== undefined && Object.hasOwn(properties, key) && isKnown(properties[key], rest);
}
