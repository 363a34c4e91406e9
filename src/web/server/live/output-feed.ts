import { millis, seconds, type Clock, type Millis } from '#base/time.ts';
import { harmlessText } from '#base/harmless-text.ts';
import type { AskLog } from '#command/logs/log-client.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { followScript, type FollowedPiece, type FollowPlace } from '#machines/cli/outputs/output-client.ts';
import { mostOutput, type StreamMessage } from '#web/wire/stream.ts';
import { detailText, type OutputTopic } from '#web/wire/detail-topic.ts';
import { eventText, type Feed, type FeedNews } from './feed.ts';
import { OutputWindow } from './output-window.ts';
import { wireText } from './wire-text.ts';

type OutputFeedDeps = {
  readonly ask: AskLog;
  readonly topic: OutputTopic;
  readonly clock: Clock;
  readonly report: (problem: unknown) => void;
};

/** What comes within this time is sent together. */
const together = millis(100);
/** After the end, and after a failure, it is asked again: a controller that was restarted may continue the script. */
const again = seconds(3);

/** The end of the output of a script, and what is added to it. */
export class OutputFeed implements Omit<Feed, 'subscribe'> {
  readonly #deps: OutputFeedDeps;
  readonly #onChange: () => void;
  readonly #closed = new AbortController();
  readonly #window = new OutputWindow(mostOutput);
  #isRunning = true;
  #refusal: string | undefined;
  #isKnown = false;
  #cancel: (() => void) | undefined;

  constructor(deps: OutputFeedDeps, onChange: () => void) {
    this.#deps = deps;
    this.#onChange = onChange;
    void this.#run();
  }

  newsSince(have: string | undefined): FeedNews {
    if (this.#refusal !== undefined) return this.#refused(this.#refusal, have);
    if (!this.#isKnown) return { texts: [], version: have };
    const version = `${this.#window.next} ${this.#isRunning ? 'running' : 'ended'}`;
    if (have === version) return { texts: [], version };
    const part = { ...this.#window.since(Number(have?.split(' ')[0] ?? NaN)), isRunning: this.#isRunning };
    const topic = detailText(this.#deps.topic);
    const message: StreamMessage = { type: 'output', topic, version, part };
    return { version, texts: [eventText(message, topic, wireText(message))] };
  }

  close(): void {
    this.#cancel?.();
    this.#closed.abort(new Error('nobody looks at the output any more'));
  }

  #refused(message: string, have: string | undefined): FeedNews {
    const version = `refused ${message}`;
    if (have === version) return { texts: [], version };
    const topic = detailText(this.#deps.topic);
    return {
      version,
      texts: [
        eventText(
          { type: 'refused', topic, message },
          undefined,
          wireText({ type: 'refused', topic, message }),
        ),
      ],
    };
  }

  async #run(): Promise<void> {
    const { clock, report } = this.#deps;
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const pause = await this.#follow().catch((error: unknown): Millis => {
        if (!signal.aborted && !(error instanceof Unavailable)) report(error);
        return again;
      });
      await clock.sleep(pause, signal).catch(() => undefined);
    }
  }

  /** Follows until it ends; the pause before it is asked again. */
  async #follow(): Promise<Millis> {
    const { ask, topic } = this.#deps;
    const place: FollowPlace = this.#isKnown
      ? { type: 'from', offset: this.#window.next }
      : { type: 'last', bytes: mostOutput };
    const answer = await followScript(ask, topic.name, { output: topic, place }, this.#closed.signal);
    if (answer.type !== 'following') {
      this.#refuse(answer.message);
      return again;
    }
    this.#refusal = undefined;
    for await (const piece of answer.pieces) {
      if ('end' in piece && piece.end === 'pause') return millis(0);
      this.#take(piece);
    }
    return again;
  }

  #take(piece: FollowedPiece): void {
    this.#isKnown = true;
    const isRunning = !('end' in piece);
    if (!('end' in piece)) this.#window.add({ ...piece, text: harmlessText(piece.text) });
    // A script that has ended may have new output only after its controller was restarted.
    this.#isRunning = isRunning;
    this.#changed();
  }

  #refuse(message: string): void {
    if (this.#refusal === message) return;
    this.#refusal = message;
    this.#changed();
  }

  #changed(): void {
    this.#cancel ??= this.#deps.clock.after(together, () => {
      this.#cancel = undefined;
      this.#onChange();
    });
  }
}
