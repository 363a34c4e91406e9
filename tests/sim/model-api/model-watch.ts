import { isObject } from '#base/json.ts';
import { later, millis, seconds, type Clock } from '#base/time.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { WatchEvent, WatchOptions } from '#edge/kube/watch.ts';
import { matchesFields, parseFieldSelector } from '#kube/field-selector.ts';
import { matchesLabels, parseLabelSelector } from '#kube/label-selector.ts';
import { labelsOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { ApiError } from '#kube/status.ts';
import { at } from '#base/json.ts';
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
  return value === undefined || value === null || isObject(value) ? '' : String(value);
}

/** Watches wait here until their table changes. */
export class ModelWatches {
  readonly #store: ModelStore;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(store: ModelStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    store.subscribe(({ storage }) => this.#ring(storage));
  }

  async *watch(kind: ModelKind, options: WatchOptions, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    signal.throwIfAborted();
    const isSelected = selects(options);
    const from = Number(options.resourceVersion ?? 0);
    if (from > 0 && from < this.#store.compacted) {
      yield tooOld(from, this.#store.compacted);
      return;
    }
    const log = this.#store.log(kind.storage);
    let place = placeAfter(log, from === 0 ? this.#store.revision : from);
    if (from === 0)
      for (const object of this.#store.all(kind.storage))
        if (isSelected(object)) yield { type: 'ADDED', object };
    const end = later(this.#clock.now(), seconds(options.timeoutSeconds ?? 1800));
    for (;;) {
      for (; place < log.length; place += 1) {
        const event = eventOf(log[place], isSelected);
        if (event !== undefined) yield event;
        signal.throwIfAborted();
      }
      if (this.#clock.now() >= end) {
        yield this.#bookmark(kind);
        return;
      }
      await this.#rung(kind.storage, millis(end - this.#clock.now()), signal);
      signal.throwIfAborted();
    }
  }

  #bookmark({ kind, apiVersion }: ModelKind): WatchEvent {
    const metadata = { resourceVersion: String(this.#store.revision) };
    return { type: 'BOOKMARK', object: { kind, apiVersion, metadata } };
  }

  #rung(storage: string, longest: ReturnType<typeof millis>, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(storage) ?? new Set();
    this.#waiting.set(storage, waiting);
    return new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        cancel();
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = this.#clock.after(longest, wake);
      waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #ring(storage: string): void {
    for (const wake of this.#waiting.get(storage) ?? []) wake();
  }
}

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
  change: ModelChange | undefined,
  isSelected: (object: KubeObject) => boolean,
): WatchEvent | undefined {
  if (change === undefined) return undefined;
  const { type, object, before } = change;
  const is = type !== 'DELETED' && isSelected(object);
  const was = before !== undefined && isSelected(before);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object };
  return was ? { type: 'DELETED', object } : undefined;
}

/** A watch that ended without a response. */
export const lostWatch = (): Unavailable => new Unavailable('the watch was lost');
