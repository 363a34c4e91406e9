import { parseDuration } from '#base/duration.ts';
import { at, isArray, isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { ItemType, Origin, NodeRole } from './model.ts';
import { isAbsolute } from './paths.ts';
import { pointer, type SpecProblem } from './problem.ts';
import { isRole, roles } from './roles.ts';

/** When an item is run or installed. */
export const itemSchedules = ['prejoin', 'postjoin', 'precleanup', 'postcleanup'] as const;

const itemTypes = ['repo', 'pkg', 'bin', 'file', 'dir', 'image', 'yaml', 'shell'] as const;

/** eggo's own package lists, whose shell items are hooks of a role as well. */
export const packageLists: Readonly<Record<string, NodeRole>> = {
  'kubernetes-master': 'master',
  'kubernetes-worker': 'worker',
  etcd: 'etcd',
  loadbalance: 'loadbalance',
};

export type EggoItem = {
  readonly value: JsonObject;
  readonly type: ItemType | 'shell';
  readonly role: NodeRole;
  readonly origin: Origin;
  readonly name: string;
};

type Found = Omit<EggoItem, 'value' | 'type'> & { readonly value: Json };

/** The items that Boathook installs or runs, and their faults. */
export function eggoItems(
  document: Json,
  file: string,
): { readonly items: readonly EggoItem[]; readonly problems: readonly SpecProblem[] } {
  const found = [...additions(document, file), ...packaged(document, file)];
  const problems: SpecProblem[] = [];
  const items: EggoItem[] = [];
  for (const each of found) {
    if ('message' in each) {
      problems.push(each);
      continue;
    }
    const wrong = checkItem(each);
    problems.push(...wrong);
    const type = typeOf(each.value);
    if (wrong.length === 0 && type !== undefined && isObject(each.value))
      items.push({ ...each, value: each.value, type });
  }
  return { items, problems };
}

const typeOf = (value: Json): EggoItem['type'] | undefined => {
  const given = textAt(value, 'type');
  return itemTypes.find((type) => type === given);
};

function additions(document: Json, file: string): readonly (Found | SpecProblem)[] {
  return [['addition'], ['install', 'addition']].flatMap((path) => {
    const lists = at(document, ...path);
    if (lists === undefined || lists === null) return [];
    const origin = { file, pointer: pointer(...path) };
    if (!isObject(lists)) return [{ origin, message: 'must be a map from role to items', valid: roles }];
    return Object.entries(lists).flatMap(([role, items]) => listed(items, role, { path, file }));
  });
}

function listed(
  items: Json,
  role: string,
  { path, file }: { readonly path: readonly string[]; readonly file: string },
): readonly (Found | SpecProblem)[] {
  const origin = { file, pointer: pointer(...path, role) };
  if (!isRole(role)) return [{ origin, message: `unknown role "${role}"`, valid: roles }];
  if (items === null) return [];
  if (!isArray(items)) return [{ origin, message: 'must be a list of items' }];
  return items.map((value, index) => ({
    value,
    role,
    origin: { file, pointer: pointer(...path, role, index) },
    name: `${path.join('/')}/${role}/${index}`,
  }));
}

const packaged = (document: Json, file: string): readonly Found[] =>
  Object.entries(packageLists).flatMap(([list, role]) =>
    listAt(document, 'install', list).flatMap((value, index) =>
      textAt(value, 'type') === 'shell'
        ? [
            {
              value,
              role,
              origin: { file, pointer: pointer('install', list, index) },
              name: `install/${list}/${index}`,
            },
          ]
        : [],
    ),
  );

type Fault = { readonly key: string; readonly message: string; readonly valid?: readonly string[] };

const checkItem = ({ value, origin: { file, pointer } }: Found): readonly SpecProblem[] =>
  itemFaults(value).map(({ key, ...fault }) => ({
    origin: { file, pointer: `${pointer}/${key}` },
    ...fault,
  }));

function itemFaults(value: Json): readonly Fault[] {
  const type = typeOf(value);
  const names = itemNames(value);
  const unnamed = names.length === 0 ? [{ key: 'name', message: 'name is required' }] : [];
  if (type === undefined) {
    const message = `unknown type "${textAt(value, 'type') ?? ''}"`;
    return [...unnamed, { key: 'type', message, valid: itemTypes }];
  }
  return [
    ...unnamed,
    ...names.flatMap((name) => {
      const why = nameFault(name, type);
      return why === undefined ? [] : [{ key: 'name', message: `"${name}" ${why}` }];
    }),
    ...scheduleFaults(value, type),
    ...destinationFaults(value, type),
    ...itemTimeouts(value)
      .filter(([, limit]) => typeof limit !== 'string' || (parseDuration(limit) ?? 0) === 0)
      .map(([key, limit]) => ({
        key,
        message: `${JSON.stringify(limit)} is not a time limit such as 30s or 1m30s`,
      })),
  ];
}

function scheduleFaults(value: Json, type: EggoItem['type']): readonly Fault[] {
  const schedule = textAt(value, 'schedule') ?? '';
  if (itemSchedules.some((each) => each === schedule) || (schedule === '' && type !== 'shell')) return [];
  const missing = 'schedule is required: without it the script would never run';
  const message = schedule === '' ? missing : `unknown schedule "${schedule}"`;
  return [{ key: 'schedule', message, valid: itemSchedules }];
}

const withDestination: ReadonlySet<EggoItem['type']> = new Set(['bin', 'file', 'dir']);

function destinationFaults(value: Json, type: EggoItem['type']): readonly Fault[] {
  const dst = textAt(value, 'dst') ?? '';
  if (!withDestination.has(type)) return [];
  if (dst === '')
    return [{ key: 'dst', message: `dst is required for type ${type}: the folder on the machine` }];
  if (isAbsolute(dst) && !dst.includes('\0')) return [];
  return [{ key: 'dst', message: `"${dst}" must be an absolute path on the machine` }];
}

/** Names become arguments and parts of paths: they must not look like options, or leave the package. */
function nameFault(name: string, type: EggoItem['type']): string | undefined {
  if (name.startsWith('-')) return 'begins with a hyphen, which would be taken for an option';
  if (/\p{Cc}/u.test(name)) return 'contains a control character';
  if (type === 'repo' && !/^[\w.+:~=*^-]+$/.test(name)) return 'is not a package name';
  if (isUrl(name)) return type === 'yaml' ? undefined : 'is a URL: only manifests (yaml) may be one';
  return name.split('/').includes('..') ? 'leaves its folder' : undefined;
}

export const isUrl = (name: string): boolean => /^https?:\/\//.test(name);

/** `timeout` in any case. */
export const itemTimeouts = (value: Json): readonly (readonly [string, Json])[] =>
  isObject(value) ? Object.entries(value).filter(([key]) => key.toLowerCase() === 'timeout') : [];

/** `name` may list several with commas. */
export const itemNames = (value: Json): readonly string[] =>
  (textAt(value, 'name') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
