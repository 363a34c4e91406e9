import type { HookRunStatus } from '#hooks/kinds/hook-run.ts';
import type { FinalPhase } from '#hooks/decide/reading.ts';
import { isFinal } from '#hooks/decide/run.ts';
import type { Note } from '#loop/event-series.ts';

/** The Events of a status change: one for each metric that ended, and one for the run if it ended. */
export function notesOf(name: string, before: HookRunStatus, after: HookRunStatus): readonly Note[] {
  const ended = new Set(
    before.metricResults?.filter(({ phase }) => isFinal(phase)).map((result) => result.name),
  );
  const notes: Note[] = [];
  for (const result of after.metricResults ?? []) {
    if (isFinal(result.phase) && !ended.has(result.name))
      notes.push(noteOf(`Metric ${result.name}`, result.phase, result.message));
  }
  if (isFinal(after.phase) && !isFinal(before.phase))
    notes.push(noteOf(`Hook run ${name}`, after.phase, after.message));
  return notes;
}

function noteOf(what: string, phase: FinalPhase, why: string | undefined): Note {
  const isBad = phase === 'Failed' || phase === 'Error';
  return {
    type: isBad ? 'Warning' : 'Normal',
    reason: isBad ? 'Failed' : 'Complete',
    message: `${what} ended ${phase}${why === undefined || why === '' ? '' : `: ${why}`}`,
  };
}
