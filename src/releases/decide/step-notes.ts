import type { RecordedAct } from '#releases/kinds/release-history.ts';
import type { EventNote } from '#releases/model/action.ts';
import { pausedWriter } from './acts/field-writer.ts';
import { actNote, changeNote } from './acts/record-act.ts';
import type { Release } from './release.ts';
import { stepName, stepNumber } from './steps/step-outcome.ts';

/** Events about the steps. `recorded`: the request of a user, if one was decided now; `changes`: what users changed. */
export function stepNotes(
  release: Release,
  recorded: RecordedAct | undefined,
  changes: readonly RecordedAct[],
): readonly EventNote[] {
  const { act } = release.steps;
  return [
    ...(act === undefined || recorded === undefined ? [] : [actNote(act, recorded)]),
    ...changes.map(changeNote).filter((each) => each !== undefined),
    ...pausedNotes(release),
    ...movedNotes(release),
    ...unreadyNotes(release),
  ];
}

function movedNotes({ spec, steps: { movedTo } }: Release): readonly EventNote[] {
  if (movedTo === undefined) return [];
  const steps = spec.steps ?? [];
  const where =
    movedTo >= steps.length ? `All ${steps.length} steps are done` : `At ${stepNumber(movedTo, steps)}`;
  return [{ type: 'Normal', reason: 'SetStepIndex', message: `${where} (index ${movedTo})` }];
}

function unreadyNotes({ steps: { resumedUnready } }: Release): readonly EventNote[] {
  if (resumedUnready === 0) return [];
  const message = `The release was resumed by a user although ${resumedUnready} updated pods are not ready`;
  return [{ type: 'Warning', reason: 'ResumedWithUnreadyPods', message }];
}

function pausedNotes({ snapshot, before, spec, steps }: Release): readonly EventNote[] {
  const writer = pausedWriter(snapshot.workload);
  const who =
    writer === undefined
      ? 'written by an unknown field manager'
      : `written by field manager ${writer.manager} at ${writer.time ?? 'an unknown time'}`;
  const name = stepName({ before, steps: spec.steps });
  if (steps.pausedChange === 'hook-skipped') {
    const message = `${name}: paused: false, ${who}, resumed the release although its hook failed`;
    return [{ type: 'Warning', reason: 'ResumedPastFailedHook', message }];
  }
  if (steps.pausedChange === 'set-back') {
    const message = `${name}: paused: false, ${who}, was set back to true, as resumePolicy is Approval: run boathook release promote to continue`;
    return [{ type: 'Warning', reason: 'ResumeIgnored', message }];
  }
  return [];
}
