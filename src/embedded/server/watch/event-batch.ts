import { isObject, objectAt } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { WatchedObject } from '#kube/http.ts';
import type { Stored, StoredChange } from '#embedded/server/store/stored.ts';
import {
  bookmarkLine,
  bookmarkObject,
  changedObject,
  eventLine,
  eventObject,
  sharedLine,
  type EventForm,
  type EventType,
  type TableMoment,
} from './event-text.ts';

/** Collects the events that a watcher takes at once. */
export type EventBatch = {
  readonly isFull: boolean;
  initial(stored: Stored): void;
  change(type: EventType, change: StoredChange): void;
  bookmark(revision: number, endsInitial: boolean): void;
  /** A line that ends the watch. */
  last(line: string): void;
  clear(): void;
};

const mostText = 128 * 1024;
const mostObjects = 500;

/** Events as lines of text, for a connection. */
export class EventTexts implements EventBatch {
  readonly #form: EventForm;
  readonly #moment: () => TableMoment;
  text = '';

  constructor(form: EventForm, moment: () => TableMoment) {
    this.#form = form;
    this.#moment = moment;
  }

  get isFull(): boolean {
    return this.text.length >= mostText;
  }

  initial(stored: Stored): void {
    this.text += eventLine(this.#form, 'ADDED', stored, this.#moment());
  }

  change(type: EventType, change: StoredChange): void {
    this.text += sharedLine(this.#form, type, change, this.#moment());
  }

  bookmark(revision: number, endsInitial: boolean): void {
    this.text += bookmarkLine(this.#form, revision, endsInitial);
  }

  last(line: string): void {
    this.text += line;
  }

  clear(): void {
    this.text = '';
  }
}

/** Events as objects, for a reader in this process: they are those of the store, so they must not be changed. */
export class EventObjects implements EventBatch {
  readonly #form: EventForm;
  objects: WatchedObject[] = [];

  constructor(form: EventForm) {
    this.#form = form;
  }

  get isFull(): boolean {
    return this.objects.length >= mostObjects;
  }

  initial(stored: Stored): void {
    this.objects.push(eventObject(this.#form, 'ADDED', stored));
  }

  change(type: EventType, change: StoredChange): void {
    this.objects.push(changedObject(this.#form, type, change));
  }

  bookmark(revision: number, endsInitial: boolean): void {
    this.objects.push({ type: 'BOOKMARK', object: bookmarkObject(this.#form, revision, endsInitial) });
  }

  last(line: string): void {
    const event = parseJson(line);
    const object = isObject(event) ? objectAt(event, 'object') : undefined;
    this.objects.push({ type: 'ERROR', object: object ?? {} });
  }

  clear(): void {
    this.objects = [];
  }
}
