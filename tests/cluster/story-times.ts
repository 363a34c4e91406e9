import { numberAt, objectAt, textAt, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { formatTime, later, seconds, type Clock } from '#base/time.ts';

/**
 * A story has its own clock, and the server of a cluster another. What the server dates appears at the time that the
 * clock of the story has when it is first seen.
 */
export class StoryTimes {
  readonly #clock: Clock;
  readonly #created = new Map<string, string>();
  readonly #deleted = new Map<string, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The object with the times of the story. */
  dated(object: JsonObject): JsonObject {
    const metadata = objectAt(object, 'metadata');
    const uid = textAt(metadata, 'uid');
    const created = textAt(metadata, 'creationTimestamp');
    if (metadata === undefined || uid === undefined || created === undefined) return object;
    const dated: MutableJsonObject = { ...metadata };
    dated['creationTimestamp'] = remembered(this.#created, uid, () => formatTime(this.#clock.now()));
    const deleted = textAt(metadata, 'deletionTimestamp');
    const grace = numberAt(metadata, 'deletionGracePeriodSeconds') ?? 0;
    if (deleted !== undefined)
      dated['deletionTimestamp'] = remembered(this.#deleted, `${uid} ${grace}`, () =>
        formatTime(later(this.#clock.now(), seconds(grace))),
      );
    return { ...object, metadata: dated };
  }
}

function remembered(known: Map<string, string>, key: string, make: () => string): string {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** A write without the times that only the server sets: it keeps its own. */
export function undated(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  if (metadata === undefined) return object;
  const { creationTimestamp: _created, deletionTimestamp: _deleted, ...rest } = metadata;
  return { ...object, metadata: rest };
}
