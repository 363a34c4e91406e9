import { isObject, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { Millis } from '#base/time.ts';
import type { HookPointName } from '#machines/kinds/features.ts';
import { delivers } from './file-entries.ts';
import type { Binding, Facts, FileEntry, OperationKind, Point, HookScope } from './model.ts';
import type { ClusterSpec, HookCommand } from './cluster-spec.ts';
import type { PlacedDocument } from './documents.ts';
import { tkestackPolicy } from './presets.ts';
import { pointer, type SpecProblem } from './problem.ts';

export type HookType = {
  readonly operations: readonly OperationKind[];
  readonly point: Point;
  readonly scope: HookScope;
};

type Place = Pick<PlacedDocument, 'file' | 'prefix'>;

const path = ['spec', 'features', 'hooks'] as const;

const first: HookScope = { type: 'once', role: 'master' };
const all: HookScope = { type: 'each' };

/** The ten hook types of TKEStack, each with where and when it runs. */
export const tkestackTypes: Readonly<Record<HookPointName, HookType>> = {
  PreInstall: { operations: ['cluster.create', 'node.join'], point: 'pre', scope: all },
  PostInstall: { operations: ['cluster.create', 'node.join'], point: 'post', scope: all },
  PreUpgrade: { operations: ['cluster.upgrade', 'node.upgrade'], point: 'pre', scope: all },
  PostUpgrade: { operations: ['cluster.upgrade', 'node.upgrade'], point: 'post', scope: all },
  PreClusterInstall: { operations: ['cluster.create'], point: 'pre', scope: first },
  PostClusterInstall: { operations: ['cluster.create'], point: 'post', scope: first },
  PreClusterUpgrade: { operations: ['cluster.upgrade'], point: 'pre', scope: first },
  PostClusterUpgrade: { operations: ['cluster.upgrade'], point: 'post', scope: first },
  PreClusterDelete: { operations: ['cluster.delete'], point: 'pre', scope: first },
  PostClusterDelete: { operations: ['cluster.delete'], point: 'post', scope: first },
};

export const tkestackHookTypes: readonly string[] = Object.keys(tkestackTypes);

const isHookType = (name: string): name is HookPointName => Object.hasOwn(tkestackTypes, name);

export const hookTypeOf = (name: string): HookType | undefined =>
  isHookType(name) ? tkestackTypes[name] : undefined;

/** kubectl adds this annotation: it holds the whole object, secrets included. */
const neverPassed = new Set(['kubectl.kubernetes.io/last-applied-configuration']);

/** `key=value` each, annotations then labels, each sorted by key. */
export function hookArguments(metadata: JsonObject | undefined): readonly string[] {
  return ['annotations', 'labels'].flatMap((group) => {
    const pairs = metadata?.[group];
    if (!isObject(pairs)) return [];
    return Object.keys(pairs)
      .filter((key) => !neverPassed.has(key))
      .sort(byCodeUnits)
      .map((key) => `${key}=${textOf(pairs[key])}`);
  });
}

/** `features.hooks` as its entries. */
export function readHooks(hooks: Json | undefined, { file, prefix }: Place): ClusterSpec['hooks'] {
  const origin = (...keys: readonly string[]) => ({ file, pointer: prefix + pointer(...path, ...keys) });
  if (hooks === undefined || hooks === null) return { entries: [], problems: [] };
  if (!isObject(hooks)) {
    const message = 'hooks must be a map from hook type to command';
    return { entries: [], problems: [{ origin: origin(), message, valid: tkestackHookTypes }] };
  }
  const entries = Object.entries(hooks).map(([key, value]) => ({ key, value, origin: origin(key) }));
  return { entries, problems: [] };
}

export type HookSettings = {
  readonly files: readonly FileEntry[];
  readonly facts: Pick<Facts, 'sources'>;
  readonly arguments: readonly string[];
  readonly timeout?: Millis;
  readonly force: boolean;
};

export type Bound = { readonly bindings: readonly Binding[]; readonly problems: readonly SpecProblem[] };

/** Each hook becomes a binding or a problem. */
export function bindHooks(hooks: readonly HookCommand[], settings: HookSettings): Bound {
  const results = hooks.map((hook) => bindHook(hook, settings));
  const bindings = results.flatMap((result) => ('binding' in result ? [result.binding] : []));
  const problems = results.flatMap((result) => ('problem' in result ? [result.problem] : []));
  return { bindings, problems: [...problems, ...twice(bindings)] };
}

function bindHook(
  { key, value, origin }: HookCommand,
  settings: HookSettings,
): { readonly binding: Binding } | { readonly problem: SpecProblem } {
  const name = key.startsWith('Hook') ? key.slice('Hook'.length) : key;
  const type = hookTypeOf(name);
  if (type === undefined)
    return { problem: { origin, message: `unknown hook type "${key}"`, valid: tkestackHookTypes } };
  if (typeof value !== 'string' || value.trim() === '')
    return { problem: { origin, message: 'must be the path of a delivered script, with its arguments' } };
  const command = commandOf(value, settings);
  if (command === undefined) {
    const message = `"${value.split(' ')[0]}" is not delivered by spec.features.files: add an entry with this dst, or with the folder it is in`;
    return { problem: { origin, message } };
  }
  const clusterWide = type.scope.type === 'once';
  const policy = tkestackPolicy(
    settings.timeout,
    settings.force && type.operations.includes('cluster.delete'),
  );
  return {
    binding: {
      name,
      ...type,
      action: {
        type: 'delivered',
        path: command.path,
        argv: [...command.argv, ...(clusterWide ? settings.arguments : [])],
      },
      policies: Object.fromEntries(type.operations.map((operation) => [operation, policy])),
      depth: clusterWide ? 0 : 2,
      dialect: 'tkestack',
      condition: `Ensure${name}Hook`,
      origin,
      declared: value,
    },
  };
}

/** The script and its fixed arguments, at the last blank that leaves a delivered file: names may have blanks. */
function commandOf(
  value: string,
  { files, facts }: HookSettings,
): { readonly path: string; readonly argv: readonly string[] } | undefined {
  const words = value.split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const path = words.slice(0, count).join(' ');
    if (delivers(files, facts, path)) return { path, argv: words.slice(count).filter((word) => word !== '') };
  }
  return undefined;
}

/** `PreInstall` and `HookPreInstall` are the same hook. */
const twice = (bindings: readonly Binding[]): readonly SpecProblem[] =>
  bindings
    .filter(({ name }, at) => bindings.findIndex((other) => other.name === name) < at)
    .map(({ name, origin }) => ({ origin, message: `the hook type ${name} is given twice` }));

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : printJson(value ?? null);

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
