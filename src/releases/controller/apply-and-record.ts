import type { EventNote } from '#releases/model/action.ts';

/**
 * Applies a decision and records its events. When a write fails, or its response is lost, a pod may have been changed or
 * deleted without its hook all the same, and the next decision does not know: these events are recorded in any case.
 */
export async function applyAndRecord<Result>(
  notes: readonly EventNote[],
  record: (note: EventNote) => void,
  apply: () => Promise<Result>,
): Promise<Result> {
  let recorded = notes.filter(({ reason }) => reason === 'HookDeadlineProceed');
  try {
    const result = await apply();
    recorded = notes.slice();
    return result;
  } finally {
    for (const note of recorded) record(note);
  }
}
