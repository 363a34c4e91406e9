import { setTimeout as sleep } from 'node:timers/promises';
import { at } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import type { AskLog } from '#command/logs/log-client.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { KubeObject } from '#kube/object.ts';
import {
  followScript,
  type FollowedPiece,
  type FollowPlace,
  type ListedOutput,
} from '#machines/cli/outputs/output-client.ts';
import type { OutputPrinter } from './output-printer.ts';
import { listFor, mustList, problemExit, type WantedScripts } from './wanted-scripts.ts';

type Following = WantedScripts & {
  readonly ask: AskLog;
  readonly printer: OutputPrinter;
  readonly tail: number | undefined;
  readonly signal: AbortSignal;
  /** The object as it is now. */
  readonly find: () => Promise<KubeObject>;
};

/** Pause between two looks for scripts that have begun, and between two tries. */
const pauseMillis = 500;
/** Tries to reach a controller: it may be restarting, or another one may be taking over. */
const mostOutages = 120;

/** Prints outputs as they grow, until the operation has ended and everything was printed. */
export async function followOutputs(following: Following): Promise<void> {
  const { ask, find, cluster, step } = following;
  const followed = new Map<string, FollowedScript>();
  const failed = new AbortController();
  const signal = AbortSignal.any([following.signal, failed.signal]);
  // A controller that was never reached is not waited for.
  for (let patience = 0; ; patience = mostOutages) {
    // Before the list: what begins after it belongs to an operation that is not over.
    const object = await find();
    const isOver = at(object, 'status', 'operation') === undefined;
    const list = (): Promise<readonly ListedOutput[]> =>
      mustList(ask, cluster, listFor(object, following), signal);
    for (const output of (await patiently(list, patience, signal)).filter((each) =>
      each.step.includes(step),
    )) {
      const key = [output.operation, output.node, output.step, output.attempt].join('\n');
      const script = followed.get(key) ?? new FollowedScript({ ...following, signal }, output);
      // A controller that was restarted follows a script again that seemed to have ended.
      if (!script.isActive && (output.isRunning || !followed.has(key)))
        script.follow().catch((error: unknown) => failed.abort(error));
      followed.set(key, script);
    }
    if (isOver) {
      for (const script of followed.values()) await script.finish();
      return;
    }
    await sleep(pauseMillis, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Repeats while the controller is away. */
async function patiently<Result>(
  act: () => Promise<Result>,
  patience: number,
  signal: AbortSignal,
): Promise<Result> {
  for (let outages = 0; ; outages += 1)
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ExitError) || error.code !== 5 || outages === patience) throw error;
      await sleep(pauseMillis, undefined, { signal });
    }
}

/** One output that is printed while it grows. */
class FollowedScript {
  readonly #following: Following;
  readonly #output: ListedOutput;
  #place: FollowPlace;
  #rest = '';
  #active: Promise<void> | undefined;

  constructor(following: Following, output: ListedOutput) {
    const { tail } = following;
    this.#following = following;
    this.#output = output;
    this.#place = tail === undefined ? { type: 'from', offset: 0 } : { type: 'tail', lines: tail };
  }

  get isActive(): boolean {
    return this.#active !== undefined;
  }

  follow(): Promise<void> {
    this.#active = this.#follow().finally(() => (this.#active = undefined));
    return this.#active;
  }

  /** Prints what is left. */
  async finish(): Promise<void> {
    await this.#active;
    await this.follow();
    if (this.#rest !== '') this.#following.printer.lines(this.#output, [this.#rest]);
  }

  async #follow(): Promise<void> {
    const { ask, cluster, signal } = this.#following;
    for (let outages = 0; ;) {
      const wanted = { output: this.#output, place: this.#place };
      const answer = await followScript(ask, cluster, wanted, signal);
      // Removed since it was listed.
      if (answer.type === 'missing') return;
      if (answer.type === 'following') {
        if (await this.#printed(answer.pieces)) return;
        outages = 0;
      } else if (answer.type !== 'unreachable' || outages === mostOutages) throw problemExit(cluster, answer);
      else outages += 1;
      await sleep(pauseMillis, undefined, { signal });
    }
  }

  /** Whether the script has ended; false: the rest follows with another request. */
  async #printed(pieces: AsyncIterable<FollowedPiece>): Promise<boolean> {
    const { printer } = this.#following;
    try {
      for await (const piece of pieces) {
        if ('end' in piece) return piece.end === 'complete';
        const lines = (this.#rest + piece.text).split('\n');
        this.#rest = lines.pop() ?? '';
        if (lines.length > 0) printer.lines(this.#output, lines);
        this.#place = { type: 'from', offset: piece.next };
      }
    } catch (error) {
      // The controller is restarting, or another one leads now: what was printed is not printed again.
      if (!(error instanceof Unavailable)) throw error;
    }
    return false;
  }
}
