import { numberAt, textAt } from '#base/json.ts';
import { later, parseTime, seconds, type Instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Whether one of the controllers holds the Lease and renews it. `now`: by the clock of the server. */
export function checkLeader(lease: KubeObject | undefined, now: Instant, namespace: string): Diagnosis {
  const failed = (message: string): Diagnosis => ({
    check: 'leader',
    state: 'failed',
    message,
    remedy: `See why the pods do not run: kubectl -n ${namespace} get pods, then logs.`,
  });
  const holder = textAt(lease, 'spec', 'holderIdentity') ?? '';
  const renewed = parseTime(textAt(lease, 'spec', 'renewTime') ?? '');
  if (holder === '' || renewed === undefined) return failed('No process of the controllers is the leader.');
  const duration = seconds(numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 15);
  const age = Math.max(0, Math.round((now - renewed) / 1000));
  if (now > later(renewed, duration))
    return failed(`The leader ${holder} has not renewed its Lease for ${age} s.`);
  return {
    check: 'leader',
    state: 'ok',
    message: `The leader is ${holder}; it renewed its Lease ${age} s ago.`,
  };
}
