import type { ChildKey, PatchEntry } from '#registrations/kinds/reply.ts';
import { isObject, type JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { patchedObject } from '#registrations/model/patched-object.ts';
import type { Children } from './cycle.ts';
import { protectedChange } from './protected-fields.ts';
import { shapeOfChild } from './patch-shapes.ts';

export type Patched =
  | { readonly type: 'patched'; readonly children: Children }
  | { readonly type: 'refused'; readonly message: string };

export type PatchOptions = {
  /** Created when a patch is for the ServiceAccount. */
  readonly serviceAccount: KubeObject;
  /** JSON pointers to further fields that must not change. */
  readonly protectedFields: readonly string[];
};

/** Applies patches in their order: all of them, or none. */
export function applyPatches(
  children: Children,
  patches: readonly PatchEntry[],
  options: PatchOptions,
): Patched {
  let patched = children;
  for (const [i, entry] of patches.entries()) {
    const where = `patches[${i}]`;
    const key = keyOf(entry, patched);
    const before = key === undefined ? undefined : (patched[key] ?? addedChild(key, options));
    if (key === undefined || before === undefined)
      return refused(`${where} is for the ${entry.target}, but none is rendered`);
    const after = applyOne(key, before, entry);
    if (typeof after === 'string')
      return refused(`${where} for the ${entry.target} does not apply: ${after}`);
    patched = { ...patched, [key]: after };
  }
  const checked = guarded(children, patched, options);
  return checked.type === 'refused' ? checked : { type: 'patched', children: withAccount(checked.children) };
}

const refused = (message: string): Patched => ({ type: 'refused', message });

/** Refuses children whose protected fields differ from what was rendered. */
export function guarded(before: Children, after: Children, options: PatchOptions): Patched {
  for (const [key, child] of Object.entries(after) as [ChildKey, KubeObject][]) {
    const rendered = before[key] ?? addedChild(key, options);
    if (rendered === undefined || child === rendered) continue;
    const problem = protectedChange(key, rendered, child, options.protectedFields);
    if (problem !== undefined) return refused(`the ${key} ${problem}`);
  }
  return { type: 'patched', children: after };
}

const addedChild = (key: ChildKey, { serviceAccount }: PatchOptions): KubeObject | undefined =>
  key === 'serviceAccount' ? serviceAccount : undefined;

function keyOf({ target }: PatchEntry, children: Children): ChildKey | undefined {
  if (target === 'serviceAccount') return 'serviceAccount';
  if (target === 'service') return children.service === undefined ? undefined : 'service';
  return children.deployment === undefined ? 'ksvc' : 'deployment';
}

/** The patched object, or why there is none. */
function applyOne(key: ChildKey, before: KubeObject, entry: PatchEntry): KubeObject | string {
  const after = patchedObject(() => shapeOfChild(key), before, entry);
  return typeof after === 'string' ? after : withoutStatus(after);
}

/** Removes the status, which other controllers write, and nulls in the metadata, which typed clients send for empty fields. */
export function withoutStatus(child: JsonObject): KubeObject {
  const { status: _status, ...rest } = child;
  const { metadata } = rest;
  if (!isObject(metadata)) return rest;
  const kept = Object.entries(metadata).filter(([, value]) => value !== null);
  return kept.length === Object.keys(metadata).length
    ? rest
    : { ...rest, metadata: Object.fromEntries(kept) };
}

/** Pods use the patched ServiceAccount, unless a patch sets another. */
function withAccount(children: Children): Children {
  const { serviceAccount } = children;
  const key = children.deployment === undefined ? 'ksvc' : 'deployment';
  const main = children[key];
  if (serviceAccount === undefined || main === undefined) return children;
  const name = nameOf(serviceAccount);
  const spec = main['spec'];
  const template = isObject(spec) ? spec['template'] : undefined;
  const podSpec = isObject(template) ? template['spec'] : undefined;
  if (!isObject(spec) || !isObject(template) || !isObject(podSpec)) return children;
  if (podSpec['serviceAccountName'] !== undefined) return children;
  const pod = { ...podSpec, serviceAccountName: name };
  return { ...children, [key]: { ...main, spec: { ...spec, template: { ...template, spec: pod } } } };
}
