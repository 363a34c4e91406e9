import type { RecordedAct, ReleaseRecord } from '#releases/kinds/release-history.ts';
import { listAt, textAt } from '#base/json.ts';
import { shorten } from '#base/text.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { readHistory } from '#releases/model/read.ts';
import { templateWriter } from './acts/field-writer.ts';
import type { Release } from './release.ts';
import { nextHistory } from './history/next-history.ts';

/** The history of a release that is decided. `acts`: what users requested and changed, as it was decided now. */
export function releaseHistory(
  release: Release,
  state: { readonly isComplete: boolean; readonly message: string },
  acts: readonly RecordedAct[],
): readonly ReleaseRecord[] {
  const { snapshot, before, steps, verdict } = release;
  const { workload, updateRevision, now } = snapshot;
  return nextHistory({
    history: readHistory(workload),
    revision: nameOf(updateRevision),
    releaseId: steps.releaseId,
    images: imagesOf(updateRevision),
    writer: templateWriter(workload),
    stableRevision: before.stableRevision,
    isRestart: steps.isRestart,
    aborted: steps.aborted,
    ...state,
    pauses: steps.pauses,
    verdict,
    acts,
    now,
  });
}

const mostImages = 20;
const longestImage = 256;

/** `name=image` of each container. */
const imagesOf = (revision: KubeObject): readonly string[] =>
  listAt(revision, 'data', 'spec', 'template', 'spec', 'containers')
    .slice(0, mostImages)
    .map((each) => shorten(`${textAt(each, 'name') ?? ''}=${textAt(each, 'image') ?? ''}`, longestImage));
