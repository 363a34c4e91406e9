import { isObject, textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { addressUrl } from './address.ts';
import { derivedName, flatten, type Element } from './flatten.ts';
import { addedMount, mountOf, type Mount } from './mount.ts';
import { addressAtPath, configMapReference, referenceKey } from './references.ts';
import type {
  EnvContent,
  Registration,
  ParameterRule,
  ControllerEnvironment,
} from '#registrations/model/registration.ts';
import { isWithin, valueAt } from '#registrations/model/spec-path.ts';
import { Unrenderable } from './unrenderable.ts';
import { valueText } from './value-text.ts';

export type RenderGiven = {
  readonly registration: Registration;
  readonly instance: KubeObject;
  readonly environment: ControllerEnvironment;
  /** By `referenceKey`. */
  readonly references: ReadonlyMap<string, KubeObject | undefined>;
};

export type Variables = {
  /** As a container has them, by name, sorted. */
  readonly env: readonly JsonObject[];
  readonly mounts: readonly Mount[];
  /** Literal values by element (`spec.sink`) or `$added.NAME`, for the status. */
  readonly values: ReadonlyMap<string, string>;
};

/** The variables and files of an instance (§3.1). Throws Unrenderable. */
export function variablesOf(given: RenderGiven): Variables {
  const { registration } = given;
  const out: Out = { env: new Map(), mounts: new Map(), values: new Map() };
  for (const { name, content } of registration.added)
    emit(given, out, { key: `$added.${name}`, name, content });
  for (const volume of registration.volumes) out.mounts.set(volume.name, addedMount(volume));
  const handled: string[] = [];
  for (const element of elementsOf(given)) {
    const isCovered = (above: string): boolean => isWithin(element.path, above);
    if (handled.some(isCovered) || registration.skipped.some(isCovered)) continue;
    if (visit(given, out, element)) handled.push(element.path);
  }
  return {
    env: sortedByName(out.env),
    mounts: sortedByName(out.mounts),
    values: out.values,
  };
}

type Out = {
  readonly env: Map<string, JsonObject>;
  readonly mounts: Map<string, Mount>;
  readonly values: Map<string, string>;
};

const sortedByName = <Value>(map: ReadonlyMap<string, Value>): readonly Value[] =>
  [...map].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);

/** The elements in the order of their paths; also those that only a rule knows. An instance may have no spec (D-22). */
function elementsOf({ registration, instance }: RenderGiven): readonly Element[] {
  const spec = instance['spec'] ?? {};
  if (!isObject(spec)) throw new Unrenderable('RENDERFAILED', 'spec is not an object');
  const elements = flatten(spec);
  for (const [path, { fallback, fixed }] of registration.rules)
    if ((fallback !== undefined || fixed !== undefined) && !elements.has(path))
      elements.set(path, { path, value: undefined, isObject: false });
  return [...elements.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** True: the elements below are dealt with too. */
function visit(given: RenderGiven, out: Out, element: Element): boolean {
  const { path, value } = element;
  const rule = given.registration.rules.get(path);
  if (rule === undefined) {
    if (!element.isObject) emitPlain(given, out, element);
    return false;
  }
  if (rule.volume !== undefined) {
    out.mounts.set(rule.volume.name, mountOf(rule.volume, given.instance));
    return true;
  }
  const content = contentBy(given, rule, element);
  if (content === undefined) {
    if (value !== undefined) emitPlain(given, out, element);
    return false;
  }
  emit(given, out, { key: path, name: nameFor(given, path), content });
  return true;
}

/** What a rule makes of an element; undefined when it is rendered as it is. */
function contentBy(
  given: RenderGiven,
  rule: ParameterRule,
  { path, value }: Element,
): EnvContent | undefined {
  if (rule.fixed !== undefined) return { type: 'value', value: rule.fixed };
  if ((value === undefined || value === null) && rule.fallback !== undefined) return rule.fallback;
  if (rule.from === undefined) return undefined;
  if (rule.from.type === 'resolveAddress') return { type: 'value', value: addressAt(given, path) };
  const { type, name, key } = rule.from;
  const ref = { name: textAtPath(given, name), key: textAtPath(given, key) };
  return { type: 'source', source: { [`${type}KeyRef`]: ref } };
}

function emitPlain(given: RenderGiven, out: Out, { path, value }: Element): void {
  const text = valueText(value ?? null);
  if (text === null) throw new Unrenderable('RENDERFAILED', `${path} is null: skip it, or give it a default`);
  if (text === undefined) return;
  emit(given, out, { key: path, name: nameFor(given, path), content: { type: 'value', value: text } });
}

const envName = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

function nameFor({ registration }: RenderGiven, path: string): string {
  const name = registration.rules.get(path)?.name ?? `${registration.prefix}${derivedName(path)}`;
  if (envName.test(name)) return name;
  throw new Unrenderable(
    'RENDERFAILED',
    `${path} would become the variable ${JSON.stringify(name)}, which no container can have: give it a name in fromSpec.toEnv, or skip it`,
  );
}

type Emitted = { readonly key: string; readonly name: string; readonly content: EnvContent };

function emit(given: RenderGiven, out: Out, { key, name, content }: Emitted): void {
  const variable = variableOf(given, name, content);
  if (variable === undefined) return;
  out.env.set(name, variable);
  out.values.set(key, textAt(variable, 'value') ?? '');
}

function variableOf(given: RenderGiven, name: string, content: EnvContent): JsonObject | undefined {
  switch (content.type) {
    case 'value':
      return { name, value: content.value };
    case 'source':
      return { name, valueFrom: content.source };
    case 'controller-key': {
      const value = controllerValue(given, content.from);
      return value === undefined ? undefined : { name, value };
    }
  }
}

function controllerValue(
  { references, environment }: RenderGiven,
  from: Extract<EnvContent, { type: 'controller-key' }>['from'],
): string | undefined {
  const map = references.get(referenceKey(configMapReference(from.name, environment)));
  const value = textAt(map, 'data', from.key);
  if (value !== undefined || from.optional) return value;
  const where = `ConfigMap ${environment.namespace}/${from.name}`;
  throw new Unrenderable(
    'CONFIGMISSING',
    map === undefined ? `there is no ${where}` : `${where} has no key ${from.key}`,
  );
}

function addressAt({ registration, instance, references, environment }: RenderGiven, path: string): string {
  const read = addressAtPath(registration, instance, path);
  if (read.type === 'refused') throw new Unrenderable(read.reason, read.message);
  const { address, reference } = read;
  const target = reference === undefined ? undefined : references.get(referenceKey(reference));
  const found = addressUrl({ address: { ...address, ref: reference }, target, environment });
  if (found.type === 'address') return found.url;
  const isHidden = reference?.isNamespacedOnly === true && target === undefined;
  const hint = isHidden
    ? ` in this namespace; one outside of namespaces needs '*' in spec.referenceNamespaces of registration ${registration.name}`
    : '';
  throw new Unrenderable('ADDRESSUNRESOLVED', `${path}: ${found.message}${hint}`);
}

function textAtPath({ instance }: RenderGiven, path: string): string {
  const value = valueAt(instance, path);
  if (typeof value === 'string') return value;
  throw new Unrenderable(
    'RENDERFAILED',
    value === undefined ? `${path} is missing` : `${path} is not a text`,
  );
}
