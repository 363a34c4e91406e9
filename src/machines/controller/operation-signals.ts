import { seconds, type Clock } from '#base/time.ts';

/** How long a controller that stops tries to write the status. */
const lastWrite = seconds(5);

/** The signals that end a run of an operation. */
export class OperationSignals {
  readonly #leave = new AbortController();
  readonly #cancel = new AbortController();
  readonly #writing = new AbortController();

  /** Aborted: the run ends, and jobs on the machines continue. */
  get leave(): AbortSignal {
    return this.#leave.signal;
  }

  /** Aborted: jobs on the machines are ended. */
  get cancel(): AbortSignal {
    return this.#cancel.signal;
  }

  /** Aborted: the status is not written any more. */
  get writing(): AbortSignal {
    return this.#writing.signal;
  }

  interrupt(type: 'leave' | 'cancel', reason: string): void {
    (type === 'cancel' ? this.#cancel : this.#leave).abort(new Error(reason));
  }

  /** To be called when the controller stops. */
  stop(clock: Clock): void {
    this.#leave.abort(new Error('the controller stops'));
    clock.after(lastWrite, () => this.#writing.abort(new Error('the controller stops')));
  }
}
