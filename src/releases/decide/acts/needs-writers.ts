import { at, listAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { pendingAct } from './pending-act.ts';

/**
 * Whether the decision records who wrote a request, `spec.updateStrategy.paused` or the template. Informers drop managed
 * fields, so they are read from the server then.
 */
export function needsWriters(workload: KubeObject, updateRevision: string): boolean {
  const isPaused = listAt(workload, 'status', 'pauseConditions').length > 0;
  const isIgnored = at(workload, 'status', 'canary', 'resumeIgnored') === true;
  const before = textAt(workload, 'status', 'updateRevision');
  return (
    pendingAct(workload) !== undefined ||
    (!isIgnored && (at(workload, 'spec', 'updateStrategy', 'paused') === true) !== isPaused) ||
    (before !== undefined && before !== updateRevision)
  );
}
