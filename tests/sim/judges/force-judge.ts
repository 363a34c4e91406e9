import { textAt } from '#base/json.ts';
import { seconds, type Instant } from '#base/time.ts';
import { conditionOf } from '#kube/conditions.ts';
import { annotationsOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { ClientCall } from '../faults/around-client.ts';
import type { ServerChange } from '../sim-server.ts';

/** The annotation of pods that may be deleted by force once their node is lost. */
export const forceAnnotation = 'pod.gamestatefulset.bkbcs.tencent.com/node-lost-force-delete';

/** So long a controller that has asked for the node may need until it asks for the deletion. */
const slowness = seconds(10);

/** A pod is deleted by force only when it says so and its node is lost: otherwise two pods of one name could run. */
export class ForceJudge {
  readonly complaints: string[] = [];
  readonly judged = { forced: 0 };
  /** When nodes were last not ready. */
  readonly #lostAt = new Map<string, Instant>();
  readonly #ready = new Map<string, boolean>();

  see({ type, storage, object }: ServerChange, now: Instant): void {
    if (storage !== '/nodes') return;
    const name = nameOf(object);
    const isReady = type !== 'DELETED' && textAt(conditionOf(object, 'Ready'), 'status') === 'True';
    if (!isReady || this.#ready.get(name) === false) this.#lostAt.set(name, now);
    this.#ready.set(name, isReady);
  }

  /** A controller asks for a deletion. `pod`: as it is then. */
  removed({ removal }: ClientCall, pod: KubeObject | undefined, now: Instant): void {
    if (removal?.gracePeriodSeconds !== 0 || pod === undefined) return;
    this.judged.forced += 1;
    const name = `Pod ${namespaceOf(pod)}/${nameOf(pod)}`;
    if (annotationsOf(pod)[forceAnnotation] !== 'true')
      this.complaints.push(`${name} is deleted by force, and nobody allowed that`);
    const node = textAt(pod, 'spec', 'nodeName') ?? '';
    const lostAt = this.#lostAt.get(node);
    if (this.#ready.get(node) === true && (lostAt === undefined || now - lostAt > slowness))
      this.complaints.push(`${name} is deleted by force, and its node ${node} is ready`);
  }
}
