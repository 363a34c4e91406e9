import { isObject, textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type {
  ControllerEnvironment,
  EnvContent,
  ParameterRule,
  Registration,
} from '#registrations/model/registration.ts';
import { isWithin, valueAt } from '#registrations/model/spec-path.ts';
import { addressUrl } from './address.ts';
import { derivedName, flatten, type Element } from './flatten.ts';
import { addedMount, mountOf, type Mount } from './mount.ts';
import { addressAtPath, configMapReference, referenceKey } from './references.ts';
import { failed, type RenderFailure } from './render-failure.ts';
import { valueText } from './value-text.ts';

export type RenderGiven = {
  readonly registration: Registration;
  readonly instance: KubeObject;
  readonly environment: ControllerEnvironment;
  /** By `referenceKey`. */
  readonly references: ReadonlyMap<string, KubeObject | undefined>;
};

export type Variables = {
  readonly type: 'variables';
  /** In the form of a container, sorted by name. */
  readonly env: readonly JsonObject[];
  readonly mounts: readonly Mount[];
  /** Literal values by element (`spec.sink`) or `$added.NAME`, for the status. */
  readonly values: ReadonlyMap<string, string>;
};

/** What one element of an instance, or one added entry, becomes. */
type Part =
  | {
      readonly type: 'variable';
      /** The element, or `$added.NAME`. */
      readonly key: string;
      readonly name: string;
      readonly variable: JsonObject;
    }
  | Mount
  | { readonly type: 'nothing' }
  | RenderFailure;

const nothing: Part = { type: 'nothing' };

/** The variables and files of an instance. Of two with the same name the later one counts. */
export function variablesOf(given: RenderGiven): Variables | RenderFailure {
  const { registration } = given;
  const parts: readonly Part[] = [
    ...registration.added.map(({ name, content }) => variablePart(given, `$added.${name}`, name, content)),
    ...registration.volumes.map(addedMount),
    ...elementParts(given),
  ];
  const failure = parts.find((part) => part.type === 'failed');
  if (failure !== undefined) return failure;
  const variables = parts.filter((part) => part.type === 'variable');
  const mounts = parts.filter((part) => part.type === 'mount');
  return {
    type: 'variables',
    env: lastByName(variables).map(({ variable }) => variable),
    mounts: lastByName(mounts),
    values: new Map(variables.map(({ key, variable }) => [key, textAt(variable, 'value') ?? ''])),
  };
}

const lastByName = <Named extends { readonly name: string }>(list: readonly Named[]): readonly Named[] =>
  [...new Map(list.map((each) => [each.name, each])).values()].sort((left, right) =>
    left.name < right.name ? -1 : 1,
  );

/** A rule that uses an element also uses all elements below it. */
function elementParts(given: RenderGiven): readonly Part[] {
  const { registration, instance } = given;
  // An instance may have no spec.
  const spec = instance['spec'] ?? {};
  if (!isObject(spec)) return [failed('RENDERFAILED', 'spec is not an object')];
  const parts: Part[] = [];
  const used = [...registration.skipped];
  for (const element of elementsOf(registration, spec)) {
    if (used.some((above) => isWithin(element.path, above))) continue;
    const byRule = partByRule(given, element);
    parts.push(byRule ?? plainPart(given, element));
    if (byRule !== undefined) used.push(element.path);
  }
  return parts;
}

/** The elements sorted by path, and those that only a rule with a value names. */
function elementsOf({ rules }: Registration, spec: JsonObject): readonly Element[] {
  const elements = flatten(spec);
  const onlyInRules = [...rules].flatMap(([path, { fallback, fixed }]) =>
    (fallback !== undefined || fixed !== undefined) && !elements.has(path)
      ? [{ path, value: undefined, isObject: false }]
      : [],
  );
  return [...elements.values(), ...onlyInRules].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Undefined when no rule changes how the element is rendered. */
function partByRule(given: RenderGiven, element: Element): Part | undefined {
  const { path } = element;
  const rule = given.registration.rules.get(path);
  if (rule === undefined) return undefined;
  if (rule.volume !== undefined) return mountOf(rule.volume, given.instance);
  const content = contentBy(given, rule, element);
  if (content === undefined || content.type === 'failed') return content;
  return namedPart(given, path, content);
}

/** Without a rule objects make no variable of their own: their members do. */
function plainPart(given: RenderGiven, { path, value, isObject: isInner }: Element): Part {
  const hasRule = given.registration.rules.has(path);
  if (hasRule ? value === undefined : isInner) return nothing;
  const text = valueText(value ?? null);
  if (text === null) return failed('RENDERFAILED', `${path} is null: skip it, or give it a default`);
  return text === undefined ? nothing : namedPart(given, path, { type: 'value', value: text });
}

/** The content that a rule gives to an element; undefined when it is rendered as it is. */
function contentBy(
  given: RenderGiven,
  rule: ParameterRule,
  { path, value }: Element,
): EnvContent | RenderFailure | undefined {
  if (rule.fixed !== undefined) return { type: 'value', value: rule.fixed };
  if ((value === undefined || value === null) && rule.fallback !== undefined) return rule.fallback;
  if (rule.from === undefined) return undefined;
  if (rule.from.type === 'resolveAddress') return resolvedAddress(given, path);
  const { type, name, key } = rule.from;
  const bad = [name, key].find((each) => typeof valueAt(given.instance, each) !== 'string');
  if (bad !== undefined) {
    const why = valueAt(given.instance, bad) === undefined ? 'is missing' : 'is not a string';
    return failed('RENDERFAILED', `${bad} ${why}`);
  }
  const [from, inside] = [name, key].map((each) => valueAt(given.instance, each) ?? '');
  return { type: 'source', source: { [`${type}KeyRef`]: { name: from ?? '', key: inside ?? '' } } };
}

const envName = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

function namedPart(given: RenderGiven, path: string, content: EnvContent): Part {
  const { rules, prefix } = given.registration;
  const name = rules.get(path)?.name ?? `${prefix}${derivedName(path)}`;
  if (envName.test(name)) return variablePart(given, path, name, content);
  return failed(
    'RENDERFAILED',
    `${path} would become the variable ${JSON.stringify(name)}, which is not a valid name: give it a name in fromSpec.toEnv, or skip it`,
  );
}

function variablePart(given: RenderGiven, key: string, name: string, content: EnvContent): Part {
  switch (content.type) {
    case 'value':
      return { type: 'variable', key, name, variable: { name, value: content.value } };
    case 'source':
      return { type: 'variable', key, name, variable: { name, valueFrom: content.source } };
    case 'controller-key': {
      const value = controllerValue(given, content.from);
      if (value === undefined) return nothing;
      return typeof value === 'string' ? { type: 'variable', key, name, variable: { name, value } } : value;
    }
  }
}

function controllerValue(
  { references, environment }: RenderGiven,
  from: Extract<EnvContent, { type: 'controller-key' }>['from'],
): string | undefined | RenderFailure {
  const map = references.get(referenceKey(configMapReference(from.name, environment)));
  const value = textAt(map, 'data', from.key);
  if (value !== undefined || from.optional) return value;
  const where = `ConfigMap ${environment.namespace}/${from.name}`;
  return failed(
    'CONFIGMISSING',
    map === undefined ? `there is no ${where}` : `${where} has no key ${from.key}`,
  );
}

function resolvedAddress(
  { registration, instance, references, environment }: RenderGiven,
  path: string,
): EnvContent | RenderFailure {
  const read = addressAtPath(registration, instance, path);
  if (read.type === 'failed') return read;
  const { address, reference } = read;
  const target = reference === undefined ? undefined : references.get(referenceKey(reference));
  const found = addressUrl({ address: { ...address, ref: reference }, target, environment });
  if (found.type === 'address') return { type: 'value', value: found.url };
  const isHidden = reference?.isNamespacedOnly === true && target === undefined;
  const hint = isHidden
    ? ` in this namespace; a cluster-scoped one needs '*' in spec.referenceNamespaces of registration ${registration.name}`
    : '';
  return failed('ADDRESSUNRESOLVED', `${path}: ${found.message}${hint}`);
}
