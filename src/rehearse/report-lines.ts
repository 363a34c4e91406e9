import { harmlessText } from '#base/harmless-text.ts';
import { countText } from '#base/text.ts';
import { inServiceText } from './availability.ts';
import { budgetLines } from './budget-lines.ts';
import type { RehearsalReport } from './rehearsal-report.ts';
import { clockText, spanText } from './span-text.ts';
import { timelineEntries } from './timeline-entries.ts';

/** A report as text. */
export function reportLines(report: RehearsalReport): readonly string[] {
  return [
    titleLine(report),
    subtitleLine(report),
    '',
    ...timelineEntries(report).map(({ at, text }) => `${clockText(at).padStart(9)}  ${text}`),
    '',
    outcomeLine(report),
    availabilityLine(report),
    ...budgetLines(report),
    ...noteSections(report).flatMap(({ title, lines }) => [
      `${title}:`,
      ...lines.map((line) => `  - ${line}`),
    ]),
  ].map(harmlessText);
}

export const titleLine = ({ workload, namespace, change }: RehearsalReport): string =>
  `Rehearsal of ${workload} in namespace ${namespace}: ${change}`;

export const subtitleLine = ({ replicas, strategy, steps, seed }: RehearsalReport): string =>
  `${countText(replicas, 'pod')}, ${strategy}, ${countText(steps.length, 'canary step')}, seed ${seed}`;

export function outcomeLine(report: RehearsalReport): string {
  const { outcome, seconds: end, steps } = report;
  const where =
    'step' in outcome && outcome.step !== undefined && steps.length > 0
      ? ` at step ${outcome.step}/${steps.length}`
      : '';
  switch (outcome.type) {
    case 'Completes':
      return `The release would complete after ${spanText(end)}${leftText(report)}.`;
    case 'Stops':
      return `The release would stop${where} after ${spanText(end)}: ${outcome.message}`;
    case 'WaitsForApproval':
      return `The release would wait for approval${where} after ${spanText(end)}: ${outcome.message}`;
    case 'WaitsForUser':
      return `The release would wait for a user${where} after ${spanText(end)}: ${outcome.message}`;
    case 'ReachesHorizon':
      return `The release would not end within ${spanText(end)}${where}: ${outcome.message}`;
  }
}

/** A partition keeps pods on the old revision. */
function leftText({ pods, replicas }: RehearsalReport): string {
  const others = Math.max(0, replicas - (pods.at(-1)?.updated ?? replicas));
  return others === 0
    ? ''
    : `: ${others} of ${countText(replicas, 'pod')} ${others === 1 ? 'stays' : 'stay'} on the old revision`;
}

export function availabilityLine(report: RehearsalReport): string {
  const { lowest, lowestAt, promised } = report.availability;
  const when = lowest >= report.replicas && lowestAt === 0 ? '' : ` at ${clockText(lowestAt)}`;
  const verdict =
    lowest < promised
      ? `fewer than the ${promised} that maxUnavailable promises`
      : `maxUnavailable promises ${promised}`;
  return `Lowest availability: ${inServiceText(lowest, report)}${when}; ${verdict}.`;
}

export type NoteSection = { readonly title: string; readonly lines: readonly string[] };

/** What a reader must know beside the timeline. */
export const noteSections = ({
  outcome,
  approvals,
  assumptions,
  warnings,
  notRun,
}: RehearsalReport): readonly NoteSection[] =>
  [
    { title: 'In a real release you could', lines: outcome.type === 'Stops' ? outcome.remedies : [] },
    {
      title: 'Assumed',
      lines: [
        ...approvals.map(
          ({ at, step }) =>
            `${step === undefined ? 'a pause' : `the pause of step ${step}`} was approved at ${clockText(at)} (--approve)`,
        ),
        ...assumptions,
      ],
    },
    { title: 'Warnings', lines: warnings },
    { title: 'Not run here', lines: notRun },
  ].filter(({ lines }) => lines.length > 0);
