import { oneLine } from '#command/styled-line.ts';
import type { PodRow } from '#releases/decide/view/pod-row.ts';
import type { ReleaseSummary } from '#releases/decide/view/release-summary.ts';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import type { RevisionBranch } from '#releases/decide/view/revision-branch.ts';
import type { RunView } from '#releases/decide/view/run-view.ts';
import { metricText } from './metric-text.ts';
import { hookPointText, shortTitle, stepText, whyText } from './release-words.ts';

/** What has changed between two views, one line for each: the release, its hook runs, its pods. */
export function changeLines(before: ReleaseView | undefined, after: ReleaseView): readonly string[] {
  const [podsBefore, podsAfter] = [podsOf(before), podsOf(after)];
  const left = new Set(podsAfter.map(({ name }) => name));
  return [
    ...news(before === undefined ? [] : [before], [after], releaseLine, shortTitle),
    ...news(runsOf(before), runsOf(after), runLine, ({ name }) => name),
    ...news(podsBefore, podsAfter, podLine, ({ name }) => name),
    ...podsBefore.filter(({ name }) => !left.has(name)).map(({ name }) => `pod ${oneLine(name)}: deleted`),
  ];
}

/** The lines of things that are new, or whose line has changed. */
function news<Thing>(
  before: readonly Thing[],
  after: readonly Thing[],
  lineOf: (thing: Thing) => string,
  nameOf: (thing: Thing) => string,
): readonly string[] {
  const known = new Map(before.map((thing) => [nameOf(thing), lineOf(thing)]));
  return after.filter((thing) => known.get(nameOf(thing)) !== lineOf(thing)).map(lineOf);
}

/** A release on one line: `gd/shop: Paused, step 2/5, 4 of 4 pods ready, 1 updated: PausedByUser: …`. */
export function releaseLine(release: ReleaseSummary): string {
  const { phase, replicas } = release;
  const step = stepText(release);
  const state = [
    phase,
    ...(step === '' ? [] : [`step ${step}`]),
    `${replicas.ready} of ${replicas.desired} pods ready`,
    `${replicas.updated} updated`,
  ].join(', ');
  const why = whyText(release);
  return oneLine(`${shortTitle(release)}: ${state}${why === '' ? '' : `: ${why}`}`);
}

const runsOf = (view: ReleaseView | undefined): readonly RunView[] =>
  view?.revisions.flatMap(({ runs }) => runs) ?? [];

function runLine(run: RunView): string {
  const metrics = run.metrics.filter(({ calls }) => calls > 0).map(metricText);
  const text = metrics.length === 0 ? '' : `: ${metrics.join('; ')}`;
  return oneLine(`${hookPointText(run)} ${run.name}: ${run.phase}${text}`);
}

type PlacedPod = PodRow & Pick<RevisionBranch, 'number'>;

const podsOf = (view: ReleaseView | undefined): readonly PlacedPod[] =>
  view?.revisions.flatMap(({ pods, number }) => pods.map((pod) => ({ ...pod, number }))) ?? [];

function podLine({ name, status, isInService, restarts, gate, number }: PlacedPod): string {
  const state = [
    status,
    isInService ? 'in service' : 'not in service',
    `revision ${number}`,
    ...(gate === 'none' ? [] : [`gate ${gate}`]),
    ...(restarts === 0 ? [] : [`${restarts} restarts`]),
  ].join(', ');
  return oneLine(`pod ${name}: ${state}`);
}
