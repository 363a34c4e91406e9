import { numberAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** The grace period of a deleted pod; 0 removes it at once. */
export function podGrace(pod: KubeObject, requestedSeconds: number | undefined): number {
  if ((textAt(pod, 'spec', 'nodeName') ?? '') === '') return 0;
  const phase = textAt(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return 0;
  const asked = requestedSeconds ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? 0;
  return asked < 0 ? 1 : asked;
}
