import { parseDuration } from '#base/duration.ts';
import { at, isArray, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { Binding, OperationKind, Origin, Point, Role } from './model.ts';
import { folderOf, isAbsolute, resolvePath } from './paths.ts';
import type { PlanNote } from './plan.ts';
import { eggoItemTimeout, eggoPolicy } from './presets.ts';
import { pointer, type Problem } from './problem.ts';
import { isRole, roles } from './roles.ts';

type Schedule = { readonly operations: readonly OperationKind[]; readonly point: Point };

const schedules: Readonly<Record<string, Schedule>> = {
  prejoin: { operations: ['cluster.create', 'node.join'], point: 'pre' },
  postjoin: { operations: ['cluster.create', 'node.join'], point: 'post' },
  precleanup: { operations: ['cluster.delete', 'node.delete'], point: 'pre' },
  postcleanup: { operations: ['cluster.delete', 'node.delete'], point: 'post' },
};

/** eggo's own package lists, whose shell items are hooks of a role as well. */
const packageLists: Readonly<Record<string, Role>> = {
  'kubernetes-master': 'master',
  'kubernetes-worker': 'worker',
  etcd: 'etcd',
  loadbalance: 'loadbalance',
};

const itemTypes = ['repo', 'pkg', 'bin', 'file', 'dir', 'image', 'yaml', 'shell'];

type Item = { readonly item: Json; readonly role: Role; readonly origin: Origin; readonly name: string };

export type BoundItems = {
  readonly bindings: readonly Binding[];
  readonly problems: readonly Problem[];
  readonly notes: readonly PlanNote[];
};

/** `addition`, at the top or under `install`: its shell items as bindings. */
export function bindAddition(document: Json, file: string): BoundItems {
  const found = [...additions(document, file), ...packaged(document, file)];
  const problems: Problem[] = found.flatMap((each) => ('message' in each ? [each] : []));
  const bindings: Binding[] = [];
  const foreign: Item[] = [];
  for (const each of found) {
    if ('message' in each) continue;
    const type = textAt(each.item, 'type') ?? '';
    const wrong = checkItem(each, type);
    problems.push(...wrong);
    if (type !== 'shell') foreign.push(each);
    else if (wrong.length === 0) bindings.push(...bindingsOf(each, document));
  }
  return { bindings, problems, notes: foreign.length === 0 ? [] : [foreignNote(foreign, file)] };
}

function additions(document: Json, file: string): readonly (Item | Problem)[] {
  return [['addition'], ['install', 'addition']].flatMap((path) => {
    const lists = at(document, ...path);
    if (lists === undefined || lists === null) return [];
    if (!isObject(lists))
      return [
        {
          origin: { file, pointer: pointer(...path) },
          message: 'must be a map from role to items',
          valid: roles,
        },
      ];
    return Object.entries(lists).flatMap(([role, items]): readonly (Item | Problem)[] => {
      const origin = { file, pointer: pointer(...path, role) };
      if (!isRole(role)) return [{ origin, message: `unknown role "${role}"`, valid: roles }];
      if (items === null) return [];
      if (!isArray(items)) return [{ origin, message: 'must be a list of items' }];
      return items.map((item, index) => ({
        item,
        role,
        origin: { file, pointer: pointer(...path, role, index) },
        name: `${path.join('/')}/${role}/${index}`,
      }));
    });
  });
}

const packaged = (document: Json, file: string): readonly Item[] =>
  Object.entries(packageLists).flatMap(([list, role]) =>
    listAt(document, 'install', list).flatMap((item, index) =>
      textAt(item, 'type') === 'shell'
        ? [
            {
              item,
              role,
              origin: { file, pointer: pointer('install', list, index) },
              name: `install/${list}/${index}`,
            },
          ]
        : [],
    ),
  );

function checkItem({ item, origin: { file, pointer } }: Item, type: string): readonly Problem[] {
  const problems: Problem[] = [];
  const wrong = (key: string, message: string, valid?: readonly string[]): void =>
    void problems.push({
      origin: { file, pointer: `${pointer}/${key}` },
      message,
      ...(valid !== undefined && { valid }),
    });
  if ((textAt(item, 'name') ?? '') === '') wrong('name', 'name is required');
  if (!itemTypes.includes(type)) wrong('type', `unknown type "${type}"`, itemTypes);
  if (type !== 'shell') return problems;
  const schedule = textAt(item, 'schedule') ?? '';
  if (!Object.hasOwn(schedules, schedule))
    wrong(
      'schedule',
      schedule === ''
        ? 'schedule is required: without it the script would never run'
        : `unknown schedule "${schedule}"`,
      Object.keys(schedules),
    );
  for (const [key, value] of timeoutsOf(item))
    if (typeof value !== 'string' || (parseDuration(value) ?? 0) === 0)
      wrong(key, `${printJson(value)} is no time limit such as 30s or 1m30s`);
  return problems;
}

/** Both spellings, and any other case of them. */
const timeoutsOf = (item: Json): readonly (readonly [string, Json])[] =>
  isObject(item) ? Object.entries(item).filter(([key]) => key.toLowerCase() === 'timeout') : [];

/** One binding per name: `name` may list several with commas. */
function bindingsOf({ item, role, origin, name }: Item, document: Json): readonly Binding[] {
  const schedule = schedules[textAt(item, 'schedule') ?? ''];
  if (schedule === undefined || !isObject(item)) return [];
  const [, limit] = timeoutsOf(item)[0] ?? [];
  const timeout = (typeof limit === 'string' ? parseDuration(limit) : undefined) ?? eggoItemTimeout;
  const names = namesOf(item);
  return names.map((script, index) => ({
    name: names.length === 1 ? name : `${name}/${index}`,
    ...schedule,
    scope: { type: 'each', roles: [role] },
    action: { type: 'source', candidates: candidatesOf(script, document, origin.file), argv: [] },
    policies: Object.fromEntries(
      schedule.operations.map((operation) => [operation, eggoPolicy(operation, timeout)]),
    ),
    depth: 2,
    dialect: 'eggo',
    origin,
    declared: item,
  }));
}

const namesOf = (item: JsonObject): readonly string[] =>
  (textAt(item, 'name') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Beside the file first; else in `file/` of the package, a folder or an archive. */
function candidatesOf(script: string, document: Json, file: string): readonly string[] {
  const beside = resolvePath(folderOf(file), script);
  if (isAbsolute(script)) return [beside];
  const packages = objectAt(document, 'install', 'package-source', 'srcpath') ?? {};
  return [
    beside,
    ...Object.values(packages).flatMap((path) =>
      typeof path === 'string'
        ? [
            `${resolvePath(folderOf(file), path)}${/\.(?:tar\.gz|tgz|tar)$/.test(path) ? '!' : ''}/file/${script}`,
          ]
        : [],
    ),
  ];
}

const foreignNote = (items: readonly Item[], file: string): PlanNote => ({
  type: 'notice',
  message: `${items.length} items of addition are not scripts (${[...new Set(items.map(({ item }) => textAt(item, 'type') ?? ''))].join(', ')}): eggo's own installer takes care of those, here they are left alone`,
  origin: { file, pointer: items[0]?.origin.pointer ?? '' },
});
