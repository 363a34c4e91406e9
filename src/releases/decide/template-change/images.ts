import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { nearestOf } from '#base/nearest.ts';

export type ImageChange = { readonly container: string; readonly from: string; readonly to: string };

export type ImagesSet =
  | { readonly type: 'changed'; readonly template: JsonObject; readonly changes: readonly ImageChange[] }
  /** All containers have these images. */
  | { readonly type: 'same' }
  /** The template has no container of this name. `near`: the name that was probably meant. */
  | {
      readonly type: 'unknown';
      readonly container: string;
      readonly known: readonly string[];
      readonly near: string | undefined;
    };

/** In place of the name of a container: all of them. */
const allContainers = '*';

/** The containers whose images can be set: init containers too. */
const lists = ['initContainers', 'containers'] as const;

/** The template with other images. */
export function setImages(template: JsonObject, wanted: ReadonlyMap<string, string>): ImagesSet {
  const known = lists.flatMap((list) => listAt(template, 'spec', list).map(containerName));
  for (const container of wanted.keys())
    if (container !== allContainers && !known.includes(container))
      return { type: 'unknown', container, known, near: nearestOf(container, known) };
  const spec = objectAt(template, 'spec') ?? {};
  const changed = lists
    .filter((list) => spec[list] !== undefined)
    .map((list) => [list, listAt(spec, list).map((each) => withImage(each, wanted))] as const);
  const next = { ...template, spec: { ...spec, ...Object.fromEntries(changed) } };
  const changes = imageChanges(template, next);
  return changes.length === 0 ? { type: 'same' } : { type: 'changed', template: next, changes };
}

function withImage(container: Json, wanted: ReadonlyMap<string, string>): Json {
  if (!isObject(container)) return container;
  const image = wanted.get(containerName(container)) ?? wanted.get(allContainers);
  return image === undefined ? container : { ...container, image };
}

const containerName = (container: Json): string => textAt(container, 'name') ?? '';

/** The images that differ between two templates. */
export function imageChanges(before: JsonObject, after: JsonObject): readonly ImageChange[] {
  return lists.flatMap((list) => {
    const old = new Map(
      listAt(before, 'spec', list).map((each) => [containerName(each), textAt(each, 'image') ?? '']),
    );
    return listAt(after, 'spec', list).flatMap((each) => {
      const [container, to] = [containerName(each), textAt(each, 'image') ?? ''];
      const from = old.get(container) ?? '';
      return from === to ? [] : [{ container, from, to }];
    });
  });
}

/** `python: python:3.5 -> python:3.6, sidecar: new, envoy:1`. */
export const printImageChanges = (changes: readonly ImageChange[]): string =>
  changes.map(({ container, from, to }) => `${container}: ${from === '' ? 'new' : from} -> ${to}`).join(', ');
