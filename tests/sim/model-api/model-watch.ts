import { at } from '#base/json.ts';
import type { Random } from '#base/random.ts';
import { later, millis, seconds, type Clock, type Millis } from '#base/time.ts';
import type { WatchEvent, WatchOptions } from '#edge/kube/watch.ts';
import { matchesFields, parseFieldSelector } from '#kube/field-selector.ts';
import { matchesLabels, parseLabelSelector } from '#kube/label-selector.ts';
import { labelsOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { ApiError } from '#kube/status.ts';
import { refusalOf } from './model-api.ts';
import type { ModelKind } from './model-kinds.ts';
import { placeAfter, type ModelChange, type ModelStore } from './model-store.ts';

type SelectionTexts = Pick<WatchOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;

/** Whether a list or a watch is about an object. */
export function selects(selection: SelectionTexts): (object: KubeObject) => boolean {
  const { namespace = '', labelSelector = '', fieldSelector = '' } = selection;
  if (`${labelSelector}${fieldSelector}` === '')
    return namespace === '' ? () => true : (object) => namespaceOf(object) === namespace;
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector);
  return (object) =>
    (namespace === '' || namespaceOf(object) === namespace) &&
    matchesLabels(labels, labelsOf(object)) &&
    matchesFields(fields, (field) => fieldOf(object, field));
}

function fieldOf(object: KubeObject, field: string): string {
  if (field === 'metadata.name') return nameOf(object);
  const value = at(object, ...field.split('.'));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? `${value}`
    : '';
}

export type ModelWatchesDeps = { readonly store: ModelStore; readonly clock: Clock; readonly random: Random };

/** How long an event takes to a watcher at the most, in milliseconds. What changes meanwhile arrives with it. */
const slowest = 30;

/** The watches of a store. */
export class ModelWatches {
  readonly #deps: ModelWatchesDeps;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(deps: ModelWatchesDeps) {
    this.#deps = deps;
    deps.store.subscribe(({ storage }) => {
      for (const wake of this.#waiting.get(storage) ?? []) wake();
    });
  }

  async *watch(kind: ModelKind, options: WatchOptions, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const { store, clock } = this.#deps;
    signal.throwIfAborted();
    const from = Number(options.resourceVersion ?? 0);
    if (from > 0 && from < store.compacted) {
      yield tooOld(from, store.compacted);
      return;
    }
    const isSelected = selects(options);
    const log = store.log(kind.storage);
    let place = placeAfter(log, from === 0 ? store.revision : from);
    if (from === 0)
      for (const object of store.all(kind.storage).filter(isSelected)) yield { type: 'ADDED', object };
    const end = later(clock.now(), seconds(options.timeoutSeconds ?? 1800));
    for (;;) {
      const isLast = clock.now() >= end;
      const { revision } = store;
      // Only what is there now: more of it comes later.
      const events = log.slice(place).flatMap((change) => eventOf(change, isSelected));
      place = log.length;
      for (const event of events) {
        yield event;
        signal.throwIfAborted();
      }
      if (isLast) {
        yield bookmarkOf(kind, revision);
        return;
      }
      if (place === log.length) await this.#changed(kind.storage, millis(end - clock.now()), signal);
      signal.throwIfAborted();
    }
  }

  /** Settles a moment after the next change. */
  #changed(storage: string, longest: Millis, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#deps;
    const waiting = this.#waiting.get(storage) ?? new Set();
    this.#waiting.set(storage, waiting);
    return new Promise((resolve) => {
      const end = (): void => {
        waiting.delete(wake);
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const wake = (): void => {
        waiting.delete(wake);
        cancel();
        cancel = clock.after(millis(Math.ceil(random.next() * slowest)), end);
      };
      let cancel = clock.after(longest, end);
      waiting.add(wake);
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

const bookmarkOf = ({ kind, apiVersion }: ModelKind, revision: number): WatchEvent => ({
  type: 'BOOKMARK',
  object: { kind, apiVersion, metadata: { resourceVersion: String(revision) } },
});

const tooOld = (from: number, compacted: number): WatchEvent =>
  refusalOf(
    new ApiError({
      code: 410,
      reason: 'Expired',
      message: `too old resource version: ${from} (${compacted})`,
    }),
  );

/** An object that comes into the selection or leaves it is added or deleted for the watcher. */
function eventOf(
  { type, object, before }: ModelChange,
  isSelected: (object: KubeObject) => boolean,
): readonly WatchEvent[] {
  const is = type !== 'DELETED' && isSelected(object);
  const was = before !== undefined && isSelected(before);
  if (is) return [{ type: was ? 'MODIFIED' : 'ADDED', object }];
  return was ? [{ type: 'DELETED', object }] : [];
}
