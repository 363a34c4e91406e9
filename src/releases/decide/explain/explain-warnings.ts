import { numberAt, objectAt, textAt } from '#base/json.ts';
import { formatAge } from '#base/age.ts';
import { later, millis, parseTime, seconds } from '#base/time.ts';
import { conditionOf } from '#kube/conditions.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { reasonIn } from './status-now.ts';
import type { ExplainContext } from './explain-context.ts';

/** What casts doubt on the status, and mistakes that do not hold the release back now. */
export const explainWarnings = (context: ExplainContext): readonly string[] => [
  ...unobserved(context),
  ...differences(context),
  ...hookProblems(context),
];

function unobserved({ snapshot }: ExplainContext): readonly string[] {
  const { workload } = snapshot;
  const generation = numberAt(workload, 'metadata', 'generation') ?? 0;
  const observed = numberAt(workload, 'status', 'observedGeneration') ?? 0;
  if (observed >= generation) return [];
  return [
    `The status describes generation ${observed} of the spec, which is at generation ${generation}: no controller has seen the last change yet. If this lasts longer than a few seconds, no controller runs: see boathook controller.`,
  ];
}

/** Between two writes of a controller a difference is normal; it does not last. */
function differences({ snapshot, status }: ExplainContext): readonly string[] {
  const written = objectAt(snapshot.workload, 'status') ?? {};
  const shown = [
    ['phase', textAt(written, 'phase'), textAt(status, 'phase')],
    ['reason', reasonIn(written), reasonIn(status)],
    ['step', textAt(written, 'step'), textAt(status, 'step')],
  ] as const;
  const different = shown.filter(([, before, now]) => (before ?? '') !== (now ?? ''));
  if (different.length === 0) return [];
  const before = different.map(([name, was]) => `${name} ${was ?? '(none)'}`).join(', ');
  const now = different.map(([name, , is]) => `${name} ${is ?? '(none)'}`).join(', ');
  return [
    `The status says ${before}; from the objects as they are now the controller decides ${now}. If this lasts longer than a few seconds, no controller runs: see boathook controller.`,
  ];
}

/** The hook of a later step or of a pod may stop the release later. */
function hookProblems({ status, reason }: ExplainContext): readonly string[] {
  const valid = conditionOf({ status }, 'HooksValid');
  if (textAt(valid, 'status') !== 'False' || textAt(valid, 'reason') === reason) return [];
  return (textAt(valid, 'message') ?? '').split('\n').map((line) => `A hook cannot run: ${line}`);
}

/** A Lease is renewed several times in its duration; clocks of two machines differ a little. */
const clockDifference = seconds(30);

/** Whether the leader of the controllers still renews its Lease. */
export function leaseWarning(
  lease: KubeObject,
  { snapshot }: Pick<ExplainContext, 'snapshot'>,
): readonly string[] {
  const { now } = snapshot;
  const name = `${namespaceOf(lease)}/${nameOf(lease)}`;
  const holder = textAt(lease, 'spec', 'holderIdentity') ?? '';
  if (holder === '') return [`No controller holds the Lease ${name}: start boathook controller.`];
  const renewed = parseTime(textAt(lease, 'spec', 'renewTime') ?? '');
  const duration = seconds(numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 0);
  if (renewed === undefined || now < later(later(renewed, duration), clockDifference)) return [];
  return [
    `The controller ${holder} has not renewed its Lease ${name} for ${formatAge(millis(now - renewed))}: it seems to be stopped. Start boathook controller.`,
  ];
}
