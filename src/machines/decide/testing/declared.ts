import type { Json, JsonObject, MutableJsonObject } from '#base/json.ts';
import type { Declaration } from '#machines/decide/declaration.ts';
import type { Binding } from '#machines/decide/model.ts';

/** `features.files` and `features.hooks` as the user wrote them: compiling loses nothing. */
export function declaredFeatures({ files, bindings }: Pick<Declaration, 'files' | 'bindings'>): JsonObject {
  const hooks: MutableJsonObject = {};
  for (const { dialect, origin, declared } of bindings)
    if (dialect === 'tkestack') hooks[lastKey(origin.pointer)] = declared;
  return {
    ...(files.length > 0 && { files: files.map(({ declared }) => declared) }),
    ...(Object.keys(hooks).length > 0 && { hooks }),
  };
}

/** eggo's `addition` of one place (`/addition` or `/install/addition`): its shell items by role. */
export function declaredAddition(bindings: readonly Binding[], place: string): JsonObject {
  const lists: { [role: string]: Json[] } = {};
  const seen = new Set<string>();
  for (const { origin, declared } of bindings) {
    if (!origin.pointer.startsWith(`${place}/`) || seen.has(origin.pointer)) continue;
    seen.add(origin.pointer);
    const role = origin.pointer.slice(place.length + 1).split('/')[0] ?? '';
    (lists[role] ??= []).push(declared);
  }
  return lists;
}

const lastKey = (pointer: string): string =>
  pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
