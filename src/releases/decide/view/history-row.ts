import { defined } from '#base/defined.ts';
import { numberAt, textAt } from '#base/json.ts';
import { parseTime, type Instant } from '#base/time.ts';
import { annotationsOf, nameOf, type KubeObject } from '#kube/object.ts';
import { templateOf } from '#kube/workload/revisions.ts';
import type { RecordedAct, RecordedVerdict, ReleaseRecord } from '#releases/kinds/release-history.ts';
import { recordsOf } from './read-workload.ts';
import { imagesOf, type ContainerImage } from './release-summary.ts';

/** A release in the history of a workload, or a revision of which no release is recorded. */
export type HistoryRow = {
  /** Number of the ControllerRevision; 0: it does not exist any more. */
  readonly revision: number;
  readonly name: string;
  readonly images: readonly ContainerImage[];
  /** Empty: no release of it is recorded. */
  readonly outcome: string;
  readonly cause: string;
  readonly message: string;
  /** RFC 3339: when the release started, or when the revision was created. */
  readonly startTime: string;
  readonly endTime?: string;
  /** Of a release that has ended, or until now. */
  readonly durationSeconds?: number;
  readonly pausedSeconds?: number;
  readonly changeCause?: string;
  /** Field manager that wrote the template. */
  readonly startedBy?: string;
  readonly verdicts: readonly RecordedVerdict[];
  readonly acts: readonly RecordedAct[];
};

/** Newest first. `revisions`: the ControllerRevisions of the workload. */
export function historyRows(
  workload: KubeObject,
  revisions: readonly KubeObject[],
  now: Instant,
): readonly HistoryRow[] {
  const known = new Map(revisions.map((revision) => [nameOf(revision), revision]));
  const records = recordsOf(workload);
  const recorded = new Set(records.map(({ revision }) => revision));
  const others = revisions
    .filter((revision) => !recorded.has(nameOf(revision)))
    .toSorted((left, right) => numberOf(right) - numberOf(left))
    .map((revision) => rowOfRevision(revision));
  return [...records.map((record) => rowOfRecord(record, known.get(record.revision), now)), ...others];
}

const numberOf = (revision: KubeObject): number => numberAt(revision, 'revision') ?? 0;

const rowOfRevision = (revision: KubeObject): HistoryRow =>
  defined<HistoryRow>({
    ...ofRevision(revision),
    name: nameOf(revision),
    outcome: '',
    cause: '',
    message: '',
    startTime: textAt(revision, 'metadata', 'creationTimestamp') ?? '',
    verdicts: [],
    acts: [],
  });

function rowOfRecord(record: ReleaseRecord, revision: KubeObject | undefined, now: Instant): HistoryRow {
  const known = ofRevision(revision);
  const { startTime = '', endTime, pausedSeconds, startedBy, cause = '', message = '' } = record;
  return defined<HistoryRow>({
    ...known,
    name: record.revision,
    images: imagesIn(record) ?? known.images,
    outcome: record.outcome,
    cause,
    message,
    startTime,
    endTime,
    durationSeconds: secondsBetween(parseTime(startTime), endTime === undefined ? now : parseTime(endTime)),
    pausedSeconds,
    startedBy,
    verdicts: record.verdicts ?? [],
    acts: record.acts ?? [],
  });
}

/** What a ControllerRevision shows, if it still exists. */
const ofRevision = (
  revision: KubeObject | undefined,
): Pick<HistoryRow, 'revision' | 'images'> & { readonly changeCause: string | undefined } =>
  revision === undefined
    ? { revision: 0, images: [], changeCause: undefined }
    : {
        revision: numberOf(revision),
        images: imagesOf(templateOf(revision)),
        changeCause: annotationsOf(revision)['kubernetes.io/change-cause'],
      };

const secondsBetween = (start: Instant | undefined, end: Instant | undefined): number | undefined =>
  start === undefined || end === undefined ? undefined : Math.max(0, Math.round((end - start) / 1000));

/** A record has its images as name=image. */
const imagesIn = ({ images }: ReleaseRecord): readonly ContainerImage[] | undefined =>
  images?.map((text) => {
    const end = text.indexOf('=');
    return { container: text.slice(0, Math.max(0, end)), image: text.slice(end + 1) };
  });
