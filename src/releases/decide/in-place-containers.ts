import { isObject, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import {
  containersNow,
  inPlaceStateOf,
  type ContainerBefore,
  type InPlacePolicy,
  type InPlaceState,
} from './in-place-state.ts';

/** Containers that were not replaced: same image ID, same container ID, no restart. */
export function notReplaced(
  pod: KubeObject,
  { containers }: Pick<InPlaceState, 'containers'>,
): readonly string[] {
  const now = containersNow(pod);
  return Object.entries(containers).flatMap(([name, before]) => {
    const current = now[name];
    if (current === undefined) return [name];
    const isNew =
      (current.imageID !== before.imageID && current.imageID !== '') ||
      (current.containerID !== before.containerID && current.containerID !== '') ||
      current.restartCount > before.restartCount;
    return isNew && isRunning(named(pod, 'status', 'containerStatuses', name)) ? [] : [name];
  });
}

/**
 * The present state of the containers that new images replace. A container that has or runs the image already is not
 * restarted, so nothing waits for it. Containers that an unfinished update replaces are included, unless their image is
 * `unwritten`.
 */
export function toBeReplaced(
  pod: KubeObject,
  images: Readonly<Record<string, string>>,
  unwritten: Readonly<Record<string, string>> = {},
): Readonly<Record<string, ContainerBefore>> {
  const now = containersNow(pod);
  const unknown: ContainerBefore = { imageID: '', containerID: '', restartCount: 0 };
  const changed = Object.entries(images).flatMap(([name, image]) =>
    isRestartedFor(pod, name, image) ? [[name, now[name] ?? unknown] as const] : [],
  );
  const state = inPlaceStateOf(pod);
  const before = state === undefined ? [] : notReplaced(pod, state);
  const pending = before.flatMap((name) => {
    const container = state?.containers[name];
    return container === undefined || Object.hasOwn(images, name) || Object.hasOwn(unwritten, name)
      ? []
      : [[name, container] as const];
  });
  return Object.fromEntries([...changed, ...pending]);
}

/** Whether new images would restart a container. */
export const isAnyRestarted = (pod: KubeObject, images: Readonly<Record<string, string>>): boolean =>
  Object.entries(images).some(([name, image]) => isRestartedFor(pod, name, image));

export const notReady = (pod: KubeObject, names: readonly string[]): readonly string[] =>
  names.filter((name) => named(pod, 'status', 'containerStatuses', name)?.['ready'] !== true);

/**
 * The images to write now and those to write later. With an ordered policy containers are restarted one after another,
 * in the order of the pod spec. Images that restart no container are written at once.
 */
export function inOrder(
  pod: KubeObject,
  images: Readonly<Record<string, string>>,
  policy: InPlacePolicy,
): { readonly now: Readonly<Record<string, string>>; readonly later: Readonly<Record<string, string>> } {
  if (policy === 'DisOrdered') return { now: images, later: {} };
  const slots = listAt(pod, 'spec', 'containers').map((each) => textAt(each, 'name') ?? '');
  const restarted = Object.keys(images)
    .filter((name) => isRestartedFor(pod, name, images[name] ?? ''))
    .toSorted((left, right) => slots.indexOf(left) - slots.indexOf(right));
  const waiting = new Set(restarted.slice(1));
  const entries = Object.entries(images);
  return {
    now: Object.fromEntries(entries.filter(([name]) => !waiting.has(name))),
    later: Object.fromEntries(entries.filter(([name]) => waiting.has(name))),
  };
}

function isRestartedFor(pod: KubeObject, name: string, image: string): boolean {
  if (textAt(named(pod, 'spec', 'containers', name), 'image') === image) return false;
  const status = named(pod, 'status', 'containerStatuses', name);
  return !(isRunning(status) && textAt(status, 'image') === image);
}

const isRunning = (status: JsonObject | undefined): boolean =>
  objectAt(status, 'state', 'running') !== undefined;

const named = (pod: KubeObject, part: string, list: string, name: string): JsonObject | undefined =>
  listAt(pod, part, list).find((each): each is JsonObject => isObject(each) && textAt(each, 'name') === name);
