import { parseDuration } from '#base/duration.ts';
import { isObject, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { eggoItems, itemNames, itemSchedules, itemTimeouts, type EggoItem } from './eggo-items.ts';
import type { HookAction, Binding, ItemType, OperationKind, Point } from './model.ts';
import { folderOf, isAbsolute, resolvePath } from './paths.ts';
import { eggoItemTimeout, eggoPolicy, installTimeout } from './presets.ts';
import type { SpecProblem } from './problem.ts';

type Schedule = { readonly operations: readonly OperationKind[]; readonly point: Point };

const schedules: Readonly<Record<(typeof itemSchedules)[number], Schedule>> = {
  prejoin: { operations: ['cluster.create', 'node.join'], point: 'pre' },
  postjoin: { operations: ['cluster.create', 'node.join'], point: 'post' },
  precleanup: { operations: ['cluster.delete', 'node.delete'], point: 'pre' },
  postcleanup: { operations: ['cluster.delete', 'node.delete'], point: 'post' },
};

export type BoundItems = { readonly bindings: readonly Binding[]; readonly problems: readonly SpecProblem[] };

/** `addition`, at the top or under `install`, and the scripts of the package lists, as bindings. */
export function bindAddition(document: Json, file: string): BoundItems {
  const { items, problems } = eggoItems(document, file);
  const bindings = items.flatMap((item) =>
    item.type === 'shell' ? scriptBindings(item, document) : itemBinding(item, item.type, document),
  );
  return { bindings, problems };
}

/** One binding per name: `name` may list several with commas. */
function scriptBindings(item: EggoItem, document: Json): readonly Binding[] {
  const schedule = scheduleOf(item.value);
  if (schedule === undefined) return [];
  const names = itemNames(item.value);
  const timeout = timeoutOf(item.value) ?? eggoItemTimeout;
  return names.map((script, index) => ({
    ...common(item),
    name: names.length === 1 ? item.name : `${item.name}/${index}`,
    ...schedule,
    scope: { type: 'each', roles: [item.role] },
    action: { type: 'source', candidates: scriptCandidates(script, document, item.origin.file), argv: [] },
    policies: Object.fromEntries(
      schedule.operations.map((operation) => [operation, eggoPolicy(operation, timeout)]),
    ),
  }));
}

/** Without a schedule, as in eggo: packages and files before all hooks, manifests when the cluster is up. */
function itemBinding(
  item: EggoItem,
  type: Exclude<EggoItem['type'], 'shell'>,
  document: Json,
): readonly Binding[] {
  const timeout = timeoutOf(item.value) ?? installTimeout;
  const isManifest = type === 'yaml';
  const usual: Schedule & Pick<Binding, 'stage'> = isManifest
    ? { operations: ['cluster.create'], point: 'post', stage: 'addons' }
    : { operations: ['cluster.create', 'node.join'], point: 'pre', stage: 'addition' };
  const schedule = scheduleOf(item.value) ?? usual;
  return [
    {
      ...common(item),
      name: item.name,
      ...schedule,
      // Manifests are applied on masters, whatever role lists them: kubectl and its credentials are there.
      scope: isManifest ? { type: 'once', role: 'master' } : { type: 'each', roles: [item.role] },
      action: itemAction(item, type, document),
      policies: Object.fromEntries(
        schedule.operations.map((operation) => [
          operation,
          { ...eggoPolicy(operation, timeout), onUnknown: 'rerun' },
        ]),
      ),
    },
  ];
}

function itemAction({ value, origin }: EggoItem, type: ItemType, document: Json): HookAction {
  return {
    type: 'item',
    item: type,
    names: itemNames(value),
    folder: folderOf(origin.file),
    packages: packagesOf(document, origin.file),
    dst: textAt(value, 'dst') ?? '',
    argv: [],
  };
}

const common = ({ origin, value }: EggoItem) =>
  ({ depth: 2, dialect: 'eggo', origin, declared: value }) as const;

const scheduleOf = (value: JsonObject): Schedule | undefined => {
  const given = textAt(value, 'schedule') ?? '';
  const name = itemSchedules.find((each) => each === given);
  return name === undefined ? undefined : schedules[name];
};

function timeoutOf(value: JsonObject): ReturnType<typeof parseDuration> {
  const [, limit] = itemTimeouts(value)[0] ?? [];
  return typeof limit === 'string' ? parseDuration(limit) : undefined;
}

/** Beside the file first; else in `file/` of the package, a folder or an archive. */
function scriptCandidates(script: string, document: Json, file: string): readonly string[] {
  const beside = resolvePath(folderOf(file), script);
  if (isAbsolute(script)) return [beside];
  return [beside, ...Object.values(packagesOf(document, file)).map((path) => `${path}/file/${script}`)];
}

/** By architecture: folders, and archives with a `!` at the end. */
export function packagesOf(document: Json, file: string): Readonly<Record<string, string>> {
  const packages = objectAt(document, 'install', 'package-source', 'srcpath') ?? {};
  return Object.fromEntries(
    Object.entries(isObject(packages) ? packages : {}).flatMap(([arch, path]) =>
      typeof path === 'string' && path !== ''
        ? [[arch, `${resolvePath(folderOf(file), path)}${/\.(?:tar\.gz|tgz|tar)$/.test(path) ? '!' : ''}`]]
        : [],
    ),
  );
}
