import { formatTime, later, millis, minutes, type Clock, type Instant, type Millis } from '#base/time.ts';
import { isOriginalOperator } from '#kube/metadata/status-writers.ts';
import type { KubeObject } from '#kube/object.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { warning } from '#loop/note.ts';
import { OtherWriters } from '#loop/owned/other-writers.ts';
import type { Report } from '#loop/report.ts';

type OtherControllersDeps = {
  readonly clock: Clock;
  readonly report: Report;
  readonly events: Pick<EventRecorder, 'record'>;
  /** The kind of the workloads. */
  readonly kind: string;
};

/** How long a workload is left to an original operator. */
const quiet = minutes(5);

/**
 * Workloads that another controller reconciles too. Each would undo what the other does, and pods would be updated twice.
 * Those of an original operator are left alone for a while; about others there is an event.
 */
export class OtherControllers {
  readonly #deps: OtherControllersDeps;
  readonly #writers = new OtherWriters();
  readonly #quietUntil = new Map<string, Instant>();

  constructor(deps: OtherControllersDeps) {
    this.#deps = deps;
  }

  /** How long the workload is still left alone; undefined: it is reconciled. */
  leftFor(key: string): Millis | undefined {
    const until = this.#quietUntil.get(key);
    if (until === undefined) return undefined;
    const left = until - this.#deps.clock.now();
    if (left > 0) return millis(left);
    this.#quietUntil.delete(key);
    return undefined;
  }

  /** Looks at the response to a write of ours. */
  look(key: string, written: KubeObject): void {
    const { clock, report, events, kind } = this.#deps;
    const other = this.#writers.since(key, written);
    if (other === undefined) return;
    const { manager } = other;
    const isLeft = isOriginalOperator(manager);
    const what = `${manager} writes the status of this ${kind}, too (last at ${formatTime(other.time)}).`;
    const then = isLeft ? ' Boathook leaves it alone for 5 minutes, so that pods are not updated twice.' : '';
    const remedy = 'Stop one of the two controllers; boathook doctor shows what runs.';
    events.record(written, warning('OtherController', `${what}${then} ${remedy}`));
    report('another controller writes the same object', { kind, key, manager }, 'error');
    this.#writers.forget(key);
    if (isLeft) this.#quietUntil.set(key, later(clock.now(), quiet));
  }

  forget(key: string): void {
    this.#writers.forget(key);
    this.#quietUntil.delete(key);
  }
}
