import { countText } from '#base/text.ts';
import { inServiceText } from './availability.ts';
import { spanText } from './span-text.ts';
import { callEntries } from './call-entries.ts';
import type { RehearsalReport, RehearsedStep } from './rehearsal-report.ts';
import type { TimelineEntry } from './timeline-entry.ts';

/** What happens in a rehearsal, in the order of time. */
export function timelineEntries(report: RehearsalReport): readonly TimelineEntry[] {
  const { steps, hooks, approvals, seconds: end, outcome } = report;
  const entries: readonly TimelineEntry[] = [
    { at: 0, order: 0, tone: 'plain', text: changeText(report) },
    ...steps.flatMap((step) => stepEntry(step, report)),
    ...approvals.map(({ at, step = 0 }) => ({
      at,
      order: step * 10 + 1,
      tone: 'assumed' as const,
      text: 'approved (assumed)',
    })),
    ...hooks.flatMap(callEntries),
    ...restEntry(report),
    ...wholeEntry(report),
    { at: end, order: 100_000, tone: endTones[outcome.type], text: endTexts[outcome.type] },
  ];
  return entries.toSorted((left, right) => left.at - right.at || left.order - right.order);
}

function stepEntry(step: RehearsedStep, { steps, replicas }: RehearsalReport): readonly TimelineEntry[] {
  const { number, title, startedAt, endedAt, updated, lowest, state } = step;
  if (startedAt === undefined) return [];
  const text = [
    `step ${number}/${steps.length}  ${title.padEnd(16)}`,
    endedAt === undefined ? 'does not end' : `takes ${spanText(endedAt - startedAt)}`,
    `${updated} of ${replicas} updated`,
    ...(lowest === undefined ? [] : [`at least ${lowest} in service`]),
  ].join('  ');
  return [{ at: startedAt, order: number * 10, tone: state === 'failed' ? 'bad' : 'plain', text }];
}

/** After the last step all pods that are left are updated. */
function restEntry({ steps, replicas, outcome }: RehearsalReport): readonly TimelineEntry[] {
  const last = steps.at(-1);
  if (last?.endedAt === undefined || outcome.type !== 'Completes' || last.updated >= replicas) return [];
  const text = `the other ${countText(replicas - last.updated, 'pod')} ${replicas - last.updated === 1 ? 'is' : 'are'} updated`;
  return [{ at: last.endedAt, order: 99_000, tone: 'plain', text }];
}

const changeText = ({ isScaledOnly }: RehearsalReport): string =>
  isScaledOnly ? 'the number of replicas is changed' : 'the template is changed';

/** A release without steps. */
function wholeEntry(report: RehearsalReport): readonly TimelineEntry[] {
  const { steps, pods, seconds, replicas, availability, isScaledOnly, outcome } = report;
  const last = pods.at(-1);
  if (steps.length > 0 || last === undefined) return [];
  const inService = last.updatedInService + last.othersInService;
  const text = isScaledOnly
    ? [
        'scaling',
        outcome.type === 'Completes' ? `takes ${spanText(seconds)}` : 'does not end',
        inServiceText(inService, report),
      ]
    : [
        'update',
        `takes ${spanText(seconds)}`,
        `${last.updatedInService} of ${replicas} updated`,
        `at least ${availability.lowest} in service`,
      ];
  return [{ at: 0, order: 1, tone: 'plain', text: text.join('  ') }];
}

type OutcomeType = RehearsalReport['outcome']['type'];

const endTexts: Readonly<Record<OutcomeType, string>> = {
  Completes: 'complete',
  Stops: 'stopped',
  WaitsForApproval: 'waits for approval',
  WaitsForUser: 'waits for a user',
  ReachesHorizon: 'the rehearsal ends at --horizon',
};

const endTones: Readonly<Record<OutcomeType, TimelineEntry['tone']>> = {
  Completes: 'good',
  Stops: 'bad',
  WaitsForApproval: 'assumed',
  WaitsForUser: 'assumed',
  ReachesHorizon: 'bad',
};
