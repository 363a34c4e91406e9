import type { EventNote } from '#releases/model/action.ts';

/**
 * Applies a decision and tells its notes. When a write fails, or its response is lost, pods may have gone on without
 * their hook all the same, and the next decision does not know: those notes are told in any case.
 */
export async function applyAndTell<Result>(
  notes: readonly EventNote[],
  tell: (note: EventNote) => void,
  apply: () => Promise<Result>,
): Promise<Result> {
  let told = notes.filter(({ reason }) => reason === 'HookDeadlineProceed');
  try {
    const result = await apply();
    told = notes.slice();
    return result;
  } finally {
    for (const note of told) tell(note);
  }
}
