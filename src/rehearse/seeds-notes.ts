import { noteSections, type NoteSection } from './report-lines.ts';
import type { SeededReports } from './seeds-summary.ts';

/** The notes of many rehearsals of a workload, each once. What to do after a stop depends on the seed and is left out. */
export function seedsNotes(reports: SeededReports): readonly NoteSection[] {
  const runs = reports.length;
  const approved = reports.filter(({ approvals }) => approvals.length > 0).length;
  const sections = new Map<string, Map<string, number>>([['Assumed', new Map()]]);
  for (const report of reports) {
    for (const { title, lines } of noteSections({
      ...report,
      outcome: { type: 'Completes' },
      approvals: [],
    })) {
      const counts = sections.get(title) ?? new Map<string, number>();
      for (const line of new Set(lines)) counts.set(line, (counts.get(line) ?? 0) + 1);
      sections.set(title, counts);
    }
  }
  const budgets = { title: 'PodDisruptionBudgets', lines: budgetNotes(reports) };
  return [...sections]
    .map(([title, counts]): NoteSection => ({
      title,
      lines: [
        ...(title === 'Assumed' && approved > 0
          ? [`pauses were approved in ${approved} of ${runs} rehearsals (--approve)`]
          : []),
        ...[...counts].map(([line, some]) =>
          some === runs ? line : `${line} (${some} of ${runs} rehearsals)`,
        ),
      ],
    }))
    .concat(budgets)
    .filter(({ lines }) => lines.length > 0);
}

const budgetNotes = (reports: SeededReports): readonly string[] =>
  reports[0].budgets.map(({ name, wanted }) => {
    const violated = reports.filter(({ availability }) => availability.lowest < wanted).length;
    return `${name} wants ${wanted} in service: ${violated === 0 ? 'kept' : `violated in ${violated} of ${reports.length} rehearsals`}`;
  });
