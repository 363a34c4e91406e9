import { objectSchema } from '#schema/kind/crd.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';
import { at, isObject, objectAt, type Json } from '#base/json.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import { shortSecret } from '#hooks/decide/short-secrets.ts';
import type { KubeObject } from '#kube/object.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { crdFindings } from './lint-crd.ts';
import { hookWarnings } from './lint-hook.ts';
import { errorFinding, unknownField } from './lint-hints.ts';
import { readRegistration } from '#registrations/read.ts';
import type { Registration } from '#registrations/model/registration.ts';

/**
 * Errors and probable mistakes in a registration. With its CRD it is checked against the schema. Of the other objects
 * the Secrets of the hook are checked.
 */
export function lintRegistration(
  object: Json,
  crd?: KubeObject,
  others: readonly KubeObject[] = [],
): readonly Finding[] {
  const read = readRegistration(object);
  const strange = unknownFields(object);
  if (read.type === 'refused') return [...strange, ...read.errors.map(errorFinding)];
  const { registration } = read;
  return [
    ...strange,
    ...hookWarnings(registration),
    ...secretWarnings(registration, others),
    ...nameWarnings(registration),
    ...(crd === undefined ? [] : crdFindings(registration, crd)),
  ];
}

function secretWarnings({ hook }: Registration, others: readonly KubeObject[]): readonly Finding[] {
  const { bearer, basic, hmac } = hook?.auth ?? {};
  return [
    ...(bearer === undefined ? [] : shortSecret('spec.hook.auth.bearer', bearer, others)),
    ...(basic === undefined
      ? []
      : shortSecret('spec.hook.auth.basic', { name: basic, key: 'password' }, others)),
    ...(hmac === undefined ? [] : shortSecret('spec.hook.auth.hmac', hmac, others)),
  ];
}

const schema = objectSchema(crdRegistration);

function unknownFields(object: Json): readonly Finding[] {
  if (!isObject(object)) return [];
  return compileSchema(schema)
    .unknownFieldPaths(object)
    .map((path) => unknownField(path, siblingsOf(path)));
}

/** The known fields beside the last one of a path. */
function siblingsOf(path: string): readonly string[] {
  const keys = path.split(/\.|(?=\[)/).slice(0, -1);
  let here: Json | undefined = schema;
  for (const key of keys) here = key.startsWith('[') ? at(here, 'items') : at(here, 'properties', key);
  return Object.keys(objectAt(here, 'properties') ?? {});
}

const warn = (path: string, message: string, hint?: string): Finding => ({
  severity: 'warning',
  path,
  message,
  ...(hint === undefined ? {} : { hint }),
});

const envName = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/** Two variables with one name, and names that are invalid in a container. */
function nameWarnings({ rules, added, envsFromHook }: Registration): readonly Finding[] {
  const given = [
    ...added.map(({ name }) => ({ name, by: `$added.${name}` })),
    ...[...rules].flatMap(([path, { name }]) => (name === undefined ? [] : [{ name, by: path }])),
  ];
  const twice = given.flatMap(({ name, by }, i) => {
    const first = given.slice(0, i).find((each) => each.name === name);
    const message = `${first?.by ?? ''} and ${by} both become ${name}; the later one is used`;
    return first === undefined ? [] : [warn('spec.workload.parameterConfiguration', message)];
  });
  const impossible = envsFromHook
    .filter((name) => name !== '*' && !envName.test(name))
    .map((name) =>
      warn(
        'spec.workload.parameterConfiguration.addEnvsFromHook',
        `${JSON.stringify(name)} is not a valid name of a variable`,
        'entries are whole names, or * for all',
      ),
    );
  return [...twice, ...impossible];
}
