import type { RecordedAct, ReleaseRecord } from '#releases/kinds/release-history.ts';
import { listAt, textAt } from '#base/json.ts';
import { shorten } from '#base/text.ts';
import { formatTime } from '#base/time.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { readHistory } from '#releases/model/read.ts';
import { pausedWriter, templateWriter } from './acts/field-writer.ts';
import type { Release } from './release.ts';
import type { PausedChange } from './steps/steps-model.ts';
import { nextHistory } from './history/next-history.ts';

/** The history of a release that is decided. `act`: the request of a user that was decided now. */
export function releaseHistory(
  release: Release,
  state: { readonly isComplete: boolean; readonly message: string },
  act: RecordedAct | undefined,
): readonly ReleaseRecord[] {
  const { snapshot, before, steps, verdict } = release;
  const { workload, updateRevision, now } = snapshot;
  const written = writtenPaused(release);
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
    acts: [...(act === undefined ? [] : [act]), ...(written === undefined ? [] : [written])],
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

const sentences: Readonly<Record<PausedChange, string>> = {
  'user-paused': 'The release was paused by paused: true.',
  'user-resumed': 'The pause of the user ended by paused: false.',
  'step-resumed': 'The pause of the step ended by paused: false.',
  'hook-skipped': 'The release continued past a failed hook by paused: false.',
  'set-back': 'paused: false was set back to true, as resumePolicy is Approval.',
};

/** What a user did by writing `spec.updateStrategy.paused`. */
function writtenPaused({ snapshot, before, steps, spec }: Release): RecordedAct | undefined {
  const { pausedChange } = steps;
  if (pausedChange === undefined) return undefined;
  const writer = pausedWriter(snapshot.workload);
  return {
    verb: pausedChange === 'user-paused' ? 'pause' : 'resume',
    ...(spec.steps === undefined || before.stepIndex === undefined
      ? {}
      : { step: Math.min(before.stepIndex + 1, spec.steps.length) }),
    ...(writer === undefined ? {} : { manager: writer.manager }),
    time: writer?.time ?? formatTime(snapshot.now),
    result: pausedChange === 'set-back' ? 'Ignored' : 'Done',
    message: sentences[pausedChange],
  };
}
