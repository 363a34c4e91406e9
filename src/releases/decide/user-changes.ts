import type { RecordedAct } from '#releases/kinds/release-history.ts';
import { readChange, type ChangeVerb, type ReleaseChange } from '#releases/model/release-change.ts';
import { nameOf } from '#kube/object.ts';
import { changeWriter, pausedWriter } from './acts/field-writer.ts';
import { recordedIds, shortId } from './acts/pending-act.ts';
import { recordChange } from './acts/record-act.ts';
import type { Release } from './release.ts';
import type { PausedChange } from './steps/steps-model.ts';

/** What users changed in the spec, as it took effect now: the pause, or the template by `boathook release`. */
export const userChanges = (release: Release): readonly RecordedAct[] =>
  [pausedChange(release), templateChange(release)].filter((each) => each !== undefined);

const sentences: Readonly<Record<PausedChange, string>> = {
  'user-paused': 'The release was paused by paused: true.',
  'user-resumed': 'The pause of the user ended by paused: false.',
  'step-resumed': 'The pause of the step ended by paused: false.',
  'hook-skipped': 'The release continued past a failed hook by paused: false.',
  'set-back': 'paused: false was set back to true, as resumePolicy is Approval.',
};

function pausedChange(release: Release): RecordedAct | undefined {
  const { steps, snapshot } = release;
  if (steps.pausedChange === undefined) return undefined;
  const verb = steps.pausedChange === 'user-paused' ? 'pause' : 'resume';
  const signed = signedChange(release, [verb]);
  return recordChange({
    verb,
    signed,
    isDone: steps.pausedChange !== 'set-back',
    message: sentences[steps.pausedChange],
    step: stepBefore(release),
    writer: signed === undefined ? pausedWriter(snapshot.workload) : changeWriter(snapshot.workload),
    now: snapshot.now,
  });
}

/** A change of the template by a tool without a signature is recorded as the start of the release only. */
function templateChange(release: Release): RecordedAct | undefined {
  const { before, snapshot } = release;
  const revision = nameOf(snapshot.updateRevision);
  if (before.updateRevision === undefined || before.updateRevision === revision) return undefined;
  const signed = signedChange(release, ['undo', 'set image', 'restart']);
  if (signed === undefined) return undefined;
  return recordChange({
    verb: signed.verb,
    signed,
    isDone: true,
    message: `The template was changed by ${signed.verb}: revision ${revision}.`,
    step: undefined,
    writer: changeWriter(snapshot.workload),
    now: snapshot.now,
  });
}

/** The signature of a change that led to the present revision and is not recorded yet. */
function signedChange({ snapshot }: Release, verbs: readonly ChangeVerb[]): ReleaseChange | undefined {
  const { workload, updateRevision } = snapshot;
  const change = readChange(workload);
  if (change === undefined || !verbs.includes(change.verb)) return undefined;
  return change.revision === nameOf(updateRevision) && !recordedIds(workload).has(shortId(change.id))
    ? change
    : undefined;
}

/** The step before the decision, from 1; undefined for a workload without steps. */
export const stepBefore = ({ spec, before }: Release): number | undefined =>
  spec.steps === undefined || before.stepIndex === undefined
    ? undefined
    : Math.min(before.stepIndex + 1, spec.steps.length);
