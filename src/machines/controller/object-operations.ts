import { later, seconds, type Instant } from '#base/time.ts';
import type { WantedOperation } from '#machines/decide/objects/due.ts';
import { until } from '#loop/owned/until.ts';
import type { Next } from '#loop/work-queue.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import type { ManagedObject } from './managed-object.ts';
import type { OperationDeps } from './operation-deps.ts';
import { OperationRun } from './operation-run.ts';
import { runOperation } from './run-operation.ts';

/** The pause before this controller tries again what another controller works on. */
const elsewherePause = seconds(10);

/** The operations of the objects of one kind: at most one of each object at a time. */
export class ObjectOperations {
  readonly #deps: OperationDeps;
  readonly #runs = new Map<string, OperationRun>();
  /** The inputs of the last plan, by uid. */
  readonly #inputs = new Map<string, string>();
  readonly #elsewhere = new Map<string, { readonly holder: string | undefined; readonly until: Instant }>();

  constructor(deps: OperationDeps) {
    this.#deps = deps;
  }

  /** To be called when the object, or an object that it depends on, has changed. */
  changed(name: string): void {
    this.#runs.get(name)?.changed();
  }

  /** To be called when the object is gone. */
  forget(object: KubeObject): void {
    this.#inputs.delete(uidOf(object));
    this.#elsewhere.delete(uidOf(object));
  }

  /** A run that has not started. */
  prepare(subject: ManagedObject, object: KubeObject, wanted: WantedOperation): OperationRun {
    const inputs = subject.planInputsHash(wanted);
    const isEdited = (this.#inputs.get(uidOf(object)) ?? inputs) !== inputs;
    return new OperationRun(this.#deps, subject, wanted, { object, isEdited });
  }

  async start(run: OperationRun, signal: AbortSignal): Promise<Next> {
    const { clock, io } = this.#deps;
    const { object, subject, state } = run;
    const { wanted, operation } = state.about;
    const away = this.#elsewhere.get(uidOf(object));
    if (away !== undefined && away.holder === operation.holder && away.until > clock.now())
      return until(clock, away.until);
    this.#inputs.set(uidOf(object), subject.planInputsHash(wanted));
    this.#runs.set(subject.name, run);
    const place = `${subject.isCluster ? 'Cluster' : 'Machine'}/${subject.name}`;
    io.underWay.set(place, wanted);
    try {
      return await runOperation(run, signal);
    } finally {
      this.#runs.delete(subject.name);
      io.underWay.delete(place);
      if (run.state.stage.type === 'elsewhere')
        this.#elsewhere.set(uidOf(object), {
          holder: operation.holder,
          until: later(clock.now(), elsewherePause),
        });
    }
  }
}
