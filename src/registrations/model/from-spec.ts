import type { SpecRuleFields } from '#registrations/kinds/older-parameters.ts';
import { SpecRules } from '#registrations/kinds/older-parameters.ts';
import { fromSpecMembers, type FromSpec } from '#registrations/kinds/parameters.ts';
import { toStructuralSchema } from '#schema/kind/structural.ts';
import { isArray, isObject, type Json } from '#base/json.ts';
import { invalid, typeInvalid, type FieldError } from '#kube/field-error.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';

const field = 'spec.workload.parameterConfiguration.fromSpec';
const listSchema = compileSchema(toStructuralSchema(SpecRules));

/** What the schema cannot check, because the two spellings of the field have different types. */
export function fromSpecErrors(given: Json | undefined): readonly FieldError[] {
  if (given === undefined) return [];
  if (isArray(given)) return listErrors(given);
  if (!isObject(given)) return [typeInvalid(field, given, `${field} must be an object or a list`)];
  return Object.keys(given)
    .filter((name) => !fromSpecMembers.includes(name))
    .map((name) => invalid(`${field}.${name}`, name, `must be one of ${fromSpecMembers.join(', ')}`));
}

function listErrors(given: readonly Json[]): readonly FieldError[] {
  const object = { fromSpec: given };
  const errors = listSchema.validate(object);
  const strange = listSchema.unknownFieldPaths(object).map((path) => invalid(path, path, 'is not known'));
  return [...errors, ...strange].map((each) => ({ ...each, field: each.field.replace(/^fromSpec/, field) }));
}

/** Converts the older spelling, a list with one item for each element. */
export function laterSpelling(given: FromSpec | readonly SpecRuleFields[] | undefined): FromSpec {
  if (given === undefined) return {};
  if (!isList(given)) return given;
  return {
    skip: given.flatMap(({ path, skip }) => (skip === true ? [{ path }] : [])),
    toEnv: given.flatMap(({ path, toEnv }) => (toEnv === undefined ? [] : [envRule(path, toEnv)])),
    toVolume: given.flatMap(({ path, toVolume }) =>
      toVolume === undefined ? [] : [volumeRule(path, toVolume)],
    ),
  };
}

const isList = (given: FromSpec | readonly SpecRuleFields[]): given is readonly SpecRuleFields[] =>
  Array.isArray(given);

type EnvRule = NonNullable<FromSpec['toEnv']>[number];
type VolumeRule = NonNullable<FromSpec['toVolume']>[number];

function envRule(path: string, given: NonNullable<SpecRuleFields['toEnv']>): EnvRule {
  const { name, defaultValue, valueFromSecret, valueFromConfigMap, valueFromBuiltInFunc } = given;
  return {
    path,
    ...(name === undefined ? {} : { name }),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    valueFrom: {
      ...(valueFromConfigMap === undefined ? {} : { configMapPath: valueFromConfigMap }),
      ...(valueFromSecret === undefined ? {} : { secretPath: valueFromSecret }),
      ...(valueFromBuiltInFunc === undefined ? {} : { builtInFunc: valueFromBuiltInFunc }),
    },
  };
}

function volumeRule(path: string, given: NonNullable<SpecRuleFields['toVolume']>): VolumeRule {
  const { name, mountPath, valueFromConfigMap, valueFromSecret } = given;
  return {
    path,
    name,
    mountPath,
    mountFrom: {
      ...(valueFromConfigMap === undefined ? {} : { configMapPath: valueFromConfigMap }),
      ...(valueFromSecret === undefined ? {} : { secretPath: valueFromSecret }),
    },
  };
}
