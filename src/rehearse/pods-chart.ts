import { escapeHtml } from '#base/escape-html.ts';
import type { AssumedApproval, PodSample, RehearsalReport, RehearsedHook } from './rehearsal-report.ts';
import { clockText } from './span-text.ts';

const [width, height, left, top, bottom] = [960, 300, 48, 44, 40];
const [plotWidth, plotHeight] = [width - left - 16, height - top - bottom];

/** The pods of a rehearsal over time as an SVG: areas of both revisions, bands of steps, calls of hooks. */
export function podsChart(report: RehearsalReport): string {
  const { pods, replicas, availability, steps, hooks, approvals } = report;
  const end = Math.max(1, report.seconds);
  const most = Math.max(replicas, ...pods.map(({ updated, others }) => updated + others));
  const scale: Scale = {
    end,
    most,
    x: (at) => round(left + (Math.min(at, end) / end) * plotWidth),
    y: (count) => round(top + plotHeight - (count / most) * plotHeight),
  };
  const { x, y } = scale;
  const area = (value: (sample: PodSample) => number, style: string): string =>
    `<path class="${style}" d="${areaPath(pods, value, scale)}"/>`;
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(labelOf(report))}">`,
    ...steps.flatMap(({ number, startedAt, endedAt = end, state }) =>
      startedAt === undefined
        ? []
        : stepBand({ number, from: x(startedAt), to: x(endedAt), isBad: state === 'failed' }),
    ),
    area((each) => each.updated + each.others, 'away'),
    area((each) => each.updatedInService + each.othersInService, 'old'),
    area((each) => each.updatedInService, 'new'),
    `<line class="promise" x1="${left}" x2="${left + plotWidth}" y1="${y(availability.promised)}" y2="${y(availability.promised)}"/>`,
    ...approvalMarks(approvals, x),
    ...callMarks(hooks, x),
    ...axis(scale),
    '</svg>',
  ].join('\n');
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** From seconds and pods to the picture. */
type Scale = {
  readonly end: number;
  readonly most: number;
  readonly x: (at: number) => number;
  readonly y: (count: number) => number;
};

/** A stepped area: a sample counts until the next one. */
function areaPath(
  pods: readonly PodSample[],
  value: (sample: PodSample) => number,
  { end, x, y }: Scale,
): string {
  const points = pods.map((sample, i) => {
    const level = y(value(sample));
    return `L${x(sample.at)} ${level} L${x(pods[i + 1]?.at ?? end)} ${level}`;
  });
  return `M${x(pods[0]?.at ?? 0)} ${y(0)} ${points.join(' ')} L${x(end)} ${y(0)} Z`;
}

type Band = { readonly number: number; readonly from: number; readonly to: number; readonly isBad: boolean };

function stepBand({ number, from, to, isBad }: Band): readonly string[] {
  const style = isBad ? 'band bad' : number % 2 === 0 ? 'band even' : 'band';
  const size = Math.max(1, to - from);
  return [
    `<rect class="${style}" x="${round(from)}" y="${top - 24}" width="${round(size)}" height="${plotHeight + 24}"><title>step ${number}</title></rect>`,
    ...(size < 14
      ? []
      : [`<text class="step" x="${round(from + size / 2)}" y="${top - 28}">${number}</text>`]),
  ];
}

/** A circle for each call; of those at the same place the first one. */
function callMarks(hooks: readonly RehearsedHook[], x: Scale['x']): readonly string[] {
  const marks = hooks.flatMap(({ template, calls }) =>
    calls.map(({ at, phase, value = '' }) => {
      const style = phase === 'Successful' ? 'pass' : 'fail';
      const title = escapeHtml(`${template} at ${clockText(at)}: ${value} ${phase}`);
      const mark = `<circle class="${style}" cx="${x(at)}" cy="${top + 8}" r="5"><title>${title}</title></circle>`;
      return { place: `${style} ${Math.round(x(at))} ${template}`, mark };
    }),
  );
  return [...new Map(marks.toReversed().map(({ place, mark }) => [place, mark])).values()].toReversed();
}

/** Half of the width of the word, with some space. */
const halfMark = 30;

/** A tick for each approval; a word only where it does not cover the one before it. */
function approvalMarks(approvals: readonly AssumedApproval[], x: Scale['x']): readonly string[] {
  let free = 0;
  return approvals.flatMap(({ at, step }) => {
    const place = x(at);
    const middle = Math.min(Math.max(place, left + halfMark), width - halfMark);
    const isShown = middle - halfMark >= free;
    if (isShown) free = middle + halfMark;
    const title = `${step === undefined ? 'approved' : `step ${step} approved`} at ${clockText(at)}`;
    return [
      `<rect class="tick" x="${round(place - 1)}" y="${top - 4}" width="2" height="8"><title>${title}</title></rect>`,
      ...(isShown ? [`<text class="mark" x="${middle}" y="${top - 6}">approved</text>`] : []),
    ];
  });
}

function axis({ end, most, x, y }: Scale): readonly string[] {
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => share * end);
  const counts = [...new Set([0, Math.round(most / 2), most])];
  return [
    ...marks.map(
      (at) =>
        `<text class="time${at === end ? ' last' : ''}" x="${x(at)}" y="${height - 16}">${clockText(at)}</text>`,
    ),
    ...counts.map((count) => `<text class="count" x="${left - 8}" y="${y(count) + 4}">${count}</text>`),
  ];
}

function labelOf({ workload, availability: { lowest }, replicas }: RehearsalReport): string {
  const some = lowest > replicas ? String(lowest) : `${lowest} of ${replicas}`;
  return `Pods of ${workload} over time; at the lowest point ${some} are in service`;
}
