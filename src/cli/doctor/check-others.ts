import { formatTime } from '#base/time.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { OtherTraces } from './other-operators.ts';

const guide = 'docs/guide/upgrade.md says how to move without restarting pods.';

/** Whether other controllers work on our kinds. `isInstalled`: whether Boathook works on them, too. */
export function checkOthers(traces: OtherTraces, isInstalled: boolean): Diagnosis {
  return (
    byLeader(traces, isInstalled) ??
    byWrites(traces) ??
    byInstallation(traces, isInstalled) ??
    byService(traces) ??
    byWebhook(traces) ?? {
      check: 'others',
      state: 'ok',
      message: 'No other controller works on our kinds.',
    }
  );
}

function byLeader({ leaders }: OtherTraces, isInstalled: boolean): Diagnosis | undefined {
  const [first, ...more] = leaders;
  if (first === undefined) return undefined;
  const { operator, holder } = first;
  const others = more.length === 0 ? '' : ` So do ${more.map((each) => each.operator.name).join(' and ')}.`;
  const stop = leaders.map((each) => `deployment/${each.operator.name}`).join(' ');
  return {
    check: 'others',
    state: isInstalled ? 'failed' : 'warning',
    message: `${operator.name} works on ${operator.kinds} in this cluster; its leader is ${holder}.${others}`,
    remedy: `Two controllers undo each other's work. Stop it first: kubectl -n ${operator.namespace} scale --replicas=0 ${stop}; ${guide}`,
  };
}

function byWrites({ writes }: OtherTraces): Diagnosis | undefined {
  const [first, ...more] = writes;
  if (first === undefined) return undefined;
  const others = more.length === 0 ? '' : ` So were ${more.length} more.`;
  return {
    check: 'others',
    state: 'warning',
    message: `The status of ${first.object} was written by ${first.manager} at ${formatTime(first.time)}, after Boathook.${others}`,
    remedy: `Find and stop the controller that uses this field manager; ${guide}`,
  };
}

function byInstallation({ installations }: OtherTraces, isInstalled: boolean): Diagnosis | undefined {
  if (installations.length === 0) return undefined;
  return {
    check: 'others',
    state: 'warning',
    message: `${isInstalled ? 'Another installation of Boathook has' : 'An installation of Boathook has'} the Lease ${installations.join(', ')}.`,
    remedy: 'Two installations need disjoint namespaces (--namespaces); otherwise remove one of them.',
  };
}

function byService({ services }: OtherTraces): Diagnosis | undefined {
  if (services.length === 0) return undefined;
  return {
    check: 'others',
    state: 'warning',
    message: `${services.join(', ')}: the cluster does not use our definitions of this group.`,
    remedy: 'Leave the component that needs the group out, or delete the APIService when its owner is gone.',
  };
}

function byWebhook({ webhooks }: OtherTraces): Diagnosis | undefined {
  if (webhooks.length === 0) return undefined;
  return {
    check: 'others',
    state: 'warning',
    message: `Admission webhooks of others check our kinds: ${webhooks.join(', ')}.`,
    remedy: 'If their service is gone, every write is refused or slow: delete them with kubectl.',
  };
}
