import type { CrdRegistration } from '#registrations/kinds/crd-registration.ts';
import type { FromSpec } from '#registrations/kinds/parameters.ts';
import type { JsonObject } from '#base/json.ts';
import { laterSpelling } from './from-spec.ts';
import { volumeOf } from './read-volumes.ts';
import type { AddedEnv, EnvContent, ParameterRule, RuleSource } from './registration.ts';
import { plainPath } from './spec-path.ts';

type Parameters = CrdRegistration['spec']['workload']['parameterConfiguration'];
type Given = NonNullable<Parameters>;
type EnvFields = NonNullable<Given['addEnvs']>[number];
type RuleFields = NonNullable<FromSpec['toEnv']>[number];
type CustomizeFields = NonNullable<Given['customize']>[number];
type KeyFields = NonNullable<NonNullable<RuleFields['default']>['configMap']>;

/** Variables that every workload gets, in both spellings; the last of one name is used. */
export function readAdded(parameters: Parameters): readonly AddedEnv[] {
  const given = [...(parameters?.addEnvs ?? []), ...(parameters?.add?.toEnv ?? [])];
  const byName = new Map<string, AddedEnv>();
  for (const each of given) {
    const content = addedContent(each);
    if (content !== undefined) byName.set(each.name, { name: each.name, content });
  }
  return [...byName.values()];
}

/** value, then valueFrom, then valueFromControllerConfigMap; an entry without any of them is ignored. */
function addedContent(each: EnvFields): EnvContent | undefined {
  if (each.value !== undefined) return { type: 'value', value: each.value };
  const source = each.valueFrom === undefined ? undefined : sourceOf(each.valueFrom);
  if (source !== undefined) return { type: 'source', source };
  const from = each.valueFromControllerConfigMap;
  if (from === undefined) return undefined;
  return {
    type: 'controller-key',
    from: { name: from.name, key: from.key, optional: from.optional ?? false },
  };
}

function sourceOf(from: NonNullable<EnvFields['valueFrom']>): JsonObject | undefined {
  const configMap = from.configMap ?? from.configMapKeyRef;
  if (configMap !== undefined) return { configMapKeyRef: keyRef(configMap) };
  const secret = from.secret ?? from.secretKeyRef;
  if (secret !== undefined) return { secretKeyRef: keyRef(secret) };
  const field = from.field ?? from.fieldRef;
  if (field === undefined) return undefined;
  return { fieldRef: { apiVersion: field.apiVersion ?? 'v1', fieldPath: field.fieldPath } };
}

const keyRef = ({ name, key, optional }: KeyFields): JsonObject => ({
  name,
  key,
  ...(optional === undefined ? {} : { optional }),
});

export const readPrefix = (parameters: Parameters): string => parameters?.global?.defaultPrefix ?? '';

export function readSkipped(parameters: Parameters): readonly string[] {
  const later = (laterSpelling(parameters?.fromSpec).skip ?? []).map(({ path }) => path);
  const earlier = (parameters?.customize ?? []).flatMap(({ path, render }) =>
    render.skip === true ? [path] : [],
  );
  return [...new Set([...earlier, ...later].map(plainPath))];
}

/** The rules by path. Several entries for one path are merged; the last one wins. */
export function readRules(parameters: Parameters): ReadonlyMap<string, ParameterRule> {
  const rules = new Map<string, ParameterRule>();
  const add = (path: string, rule: ParameterRule): void => {
    const plain = plainPath(path);
    rules.set(plain, { ...rules.get(plain), ...rule });
  };
  for (const each of parameters?.customize ?? [])
    if (each.render.skip !== true) add(each.path, earlierRule(each));
  const { toEnv = [], toVolume = [] } = laterSpelling(parameters?.fromSpec);
  for (const each of toEnv) add(each.path, laterRule(each));
  for (const each of toVolume) add(each.path, { volume: volumeOf(each) });
  return rules;
}

function laterRule(given: RuleFields): ParameterRule {
  const { configMapPath, secretPath, builtInFunc } = given.valueFrom ?? {};
  const from = ruleSource({
    configMap: configMapPath,
    secret: secretPath,
    isFunction: builtInFunc !== undefined,
  });
  const fallback = fallbackOf(given);
  return {
    ...(given.name === undefined ? {} : { name: given.name }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(from === undefined ? {} : { from }),
  };
}

function earlierRule({ render }: CustomizeFields): ParameterRule {
  const { key, value, valueFromSecret, valueFromConfigMap, valueFromBuiltInFunc } = render;
  const from = ruleSource({
    configMap: valueFromConfigMap,
    secret: valueFromSecret,
    isFunction: valueFromBuiltInFunc !== undefined,
  });
  return {
    ...(key === undefined ? {} : { name: key }),
    ...(value === undefined ? {} : { fixed: value }),
    ...(from === undefined ? {} : { from }),
  };
}

type Pair = { readonly name: string; readonly key: string } | undefined;

function ruleSource(given: { configMap: Pair; secret: Pair; isFunction: boolean }): RuleSource | undefined {
  const { configMap, secret, isFunction } = given;
  if (configMap !== undefined)
    return { type: 'configMap', name: plainPath(configMap.name), key: plainPath(configMap.key) };
  if (secret !== undefined)
    return { type: 'secret', name: plainPath(secret.name), key: plainPath(secret.key) };
  return isFunction ? { type: 'resolveAddress' } : undefined;
}

/** value, configMap, secret; an empty default is an empty value. */
function fallbackOf({ default: given, defaultValue }: RuleFields): EnvContent | undefined {
  if (given === undefined)
    return defaultValue === undefined ? undefined : { type: 'value', value: defaultValue };
  const { value, configMap, secret } = given;
  if (value === undefined && configMap !== undefined)
    return { type: 'source', source: { configMapKeyRef: keyRef(configMap) } };
  if (value === undefined && secret !== undefined)
    return { type: 'source', source: { secretKeyRef: keyRef(secret) } };
  return { type: 'value', value: value ?? '' };
}
