import { countText } from '#base/text.ts';
import { budgetVerdict } from './budget-lines.ts';
import { linesOnce } from './lines-once.ts';
import { noteSections, type NoteSection } from './report-lines.ts';
import type { SeededReports } from './seeds-summary.ts';

/** The notes of many rehearsals of a workload, each once. What to do after a stop depends on the seed and is left out. */
export function seedsNotes(reports: SeededReports): readonly NoteSection[] {
  const runs = reports.length;
  const approved = reports.filter(({ approvals }) => approvals.length > 0).length;
  const all = reports.map((report) =>
    noteSections({ ...report, outcome: { type: 'Completes' }, approvals: [] }),
  );
  const titles = new Set(['Assumed', ...all.flat().map(({ title }) => title)]);
  const budgets = { title: 'PodDisruptionBudgets', lines: budgetNotes(reports) };
  return [...titles]
    .map((title): NoteSection => ({
      title,
      lines: [
        ...(title === 'Assumed' && approved > 0
          ? [`pauses were approved in ${approved} of ${runs} rehearsals (--approve)`]
          : []),
        ...linesOnce(
          all.map((sections) => sections.flatMap((each) => (each.title === title ? each.lines : []))),
        ),
      ],
    }))
    .concat(budgets)
    .filter(({ lines }) => lines.length > 0);
}

const budgetNotes = (reports: SeededReports): readonly string[] =>
  reports[0].budgets.map((budget) => {
    const verdicts = reports.map(({ availability }) => budgetVerdict(budget, availability.lowest));
    const bad = verdicts.filter((verdict) => verdict !== 'kept');
    const what = bad[0] === 'unmeetable' ? `cannot be met by ${countText(budget.pods, 'pod')}` : 'violated';
    const some = bad.length === 0 ? 'kept' : `${what} in ${bad.length} of ${reports.length} rehearsals`;
    return `${budget.name} wants ${budget.wanted} in service: ${some}`;
  });
