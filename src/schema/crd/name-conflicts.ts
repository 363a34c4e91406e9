import { listAt, objectAt, textAt, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { CrdCondition } from './conditions.ts';

/** The accepted names of a definition, and the condition NamesAccepted. */
type NameVerdict = { readonly acceptedNames: JsonObject; readonly condition: CrdCondition };

/** Checks the requested names against those of other definitions in the group. */
export function judgeNames(crd: KubeObject, others: readonly KubeObject[]): NameVerdict {
  const wanted = objectAt(crd, 'spec', 'names') ?? {};
  const held = objectAt(crd, 'status', 'acceptedNames') ?? { plural: '', kind: '' };
  const taken = namesInUse(textAt(crd, 'spec', 'group') ?? '', [crd, ...others]);

  const accepted: MutableJsonObject = { ...held };
  let trouble: { readonly reason: string; readonly message: string } | undefined;
  for (const { name, reason, among } of singleNames) {
    const text = textAt(wanted, name) ?? '';
    if (text !== (textAt(held, name) ?? '') && taken[among].has(text))
      trouble = { reason, message: inUse(text) };
    else accepted[name] = text;
    if (name === 'singular') trouble = shortNames({ wanted, held, accepted }, taken.resources) ?? trouble;
  }
  replaceList(accepted, 'categories', listAt(wanted, 'categories'));
  return { acceptedNames: inOrder(accepted), condition: conditionOf(trouble) };
}

type Taken = { readonly resources: Set<string>; readonly kinds: Set<string> };

/** In the order of the checks: a later conflict is the one reported. */
const singleNames: readonly {
  readonly name: string;
  readonly reason: string;
  readonly among: keyof Taken;
}[] = [
  { name: 'plural', reason: 'PluralConflict', among: 'resources' },
  { name: 'singular', reason: 'SingularConflict', among: 'resources' },
  { name: 'kind', reason: 'KindConflict', among: 'kinds' },
  { name: 'listKind', reason: 'ListKindConflict', among: 'kinds' },
];

const inUse = (name: string): string => `${JSON.stringify(name)} is already in use`;

function namesInUse(group: string, crds: readonly KubeObject[]): Taken {
  const taken: Taken = { resources: new Set(), kinds: new Set() };
  const add = (names: Set<string>, name: Json | undefined): void => {
    if (typeof name === 'string' && name !== '') names.add(name);
  };
  for (const crd of crds) {
    if (textAt(crd, 'spec', 'group') !== group) continue;
    const names = objectAt(crd, 'status', 'acceptedNames') ?? {};
    for (const name of [names['plural'], names['singular'], ...listAt(names, 'shortNames')])
      add(taken.resources, name);
    for (const name of [names['kind'], names['listKind']]) add(taken.kinds, name);
  }
  return taken;
}

type Names = { readonly wanted: JsonObject; readonly held: JsonObject; readonly accepted: MutableJsonObject };

function shortNames({ wanted, held, accepted }: Names, taken: ReadonlySet<string>) {
  const ours = listAt(held, 'shortNames');
  const asked = listAt(wanted, 'shortNames').filter((each) => typeof each === 'string');
  const clashes = asked.filter((name) => !ours.includes(name) && taken.has(name)).map(inUse);
  if (clashes.length === 0) {
    replaceList(accepted, 'shortNames', asked);
    return undefined;
  }
  const message = clashes.length === 1 ? String(clashes[0]) : `[${clashes.join(', ')}]`;
  return { reason: 'ShortNamesConflict', message };
}

function replaceList(names: MutableJsonObject, name: string, list: readonly Json[]): void {
  if (list.length === 0) delete names[name];
  else names[name] = list;
}

function inOrder(names: JsonObject): JsonObject {
  const ordered: MutableJsonObject = {};
  for (const name of ['plural', 'singular', 'shortNames', 'kind', 'listKind', 'categories']) {
    const value = names[name];
    const optional = name !== 'plural' && name !== 'kind';
    if (value === undefined || (optional && value === '')) continue;
    ordered[name] = value;
  }
  return ordered;
}

function conditionOf(
  trouble: { readonly reason: string; readonly message: string } | undefined,
): CrdCondition {
  if (trouble !== undefined) return { type: 'NamesAccepted', status: 'False', ...trouble };
  return { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
}
