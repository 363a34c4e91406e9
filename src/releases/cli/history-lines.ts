import { formatAge } from '#base/age.ts';
import { seconds, type Instant } from '#base/time.ts';
import { columnLines } from '#command/columns.ts';
import { plain, styled, type StyledLine, type StyledText } from '#command/styled-line.ts';
import type { RecordedAct } from '#releases/kinds/release-history.ts';
import type { HistoryRow } from '#releases/decide/view/history-row.ts';
import { ageText, hasShortImages, imagesText } from './release-words.ts';
import { toneOf } from './tone.ts';

export type HistoryLayout = { readonly columns: number; readonly now: Instant; readonly isWide: boolean };

/** The releases of a workload as a table, newest first. */
export function historyLines(
  rows: readonly HistoryRow[],
  { columns, now, isWide }: HistoryLayout,
): readonly StyledLine[] {
  const names = ['REVISION', 'OUTCOME', 'AGE', 'TOOK', 'IMAGES', 'BY', 'HOOKS', 'CAUSE'];
  const header = (isWide ? [...names, 'NAME', 'MESSAGE'] : names).map((text): StyledText => ({
    text,
    tone: 'faint',
  }));
  const at = (name: string): number => header.findIndex(({ text }) => text === name);
  return columnLines([header, ...rows.map((row) => cellsOf(row, { columns, now, isWide }))], {
    columns: isWide ? Infinity : columns,
    narrowing: [
      [at('CAUSE'), 16],
      [at('IMAGES'), 16],
      [at('BY'), 8],
      [at('HOOKS'), 12],
      [at('CAUSE'), 6],
      [at('IMAGES'), 8],
    ],
  });
}

function cellsOf(row: HistoryRow, { columns, now, isWide }: HistoryLayout): readonly StyledText[] {
  const { revision, outcome, startTime, durationSeconds, images, cause, name, message, changeCause } = row;
  return [
    plain(revision === 0 ? '-' : String(revision)),
    styled(outcome === '' ? '-' : outcome, toneOf(outcome)),
    plain(ageText(startTime, now)),
    plain(durationSeconds === undefined ? '-' : formatAge(seconds(durationSeconds))),
    plain(imagesText(images, !isWide && hasShortImages(columns))),
    plain(byText(row)),
    plain(hooksText(row)),
    plain([cause, changeCause ?? ''].filter((each) => each !== '').join(': ')),
    ...(isWide ? [plain(name), plain(message)] : []),
  ];
}

/** Who started the release, and who has acted on it. */
function byText({ startedBy, acts }: HistoryRow): string {
  const names = [startedBy, ...acts.map(({ by }) => by)].filter((name) => name !== undefined && name !== '');
  return [...new Set(names)].join(', ') || '-';
}

/** `5:Failed`, the step and the verdict. */
const hooksText = ({ verdicts }: HistoryRow): string =>
  verdicts.map(({ step, phase = 'Pending' }) => `${step}:${phase}`).join(' ') || '-';

/** What people did in a release, one line for each: `revision 3, step 2, promote by ada, 3m ago: checked`. */
export const actLines = (row: HistoryRow, now: Instant): readonly StyledLine[] =>
  row.acts.map((act) => {
    const parts = [
      `revision ${row.revision === 0 ? row.name : row.revision}`,
      act.step === undefined ? '' : `step ${act.step}`,
      `${act.verb ?? ''}${whoText(act)}`,
      act.time === undefined ? '' : `${ageText(act.time, now)} ago`,
      act.result === 'Ignored' ? 'ignored' : '',
    ];
    const reason = (act.reason ?? '') === '' ? '' : `: ${act.reason}`;
    return [{ text: '  ' }, plain(`${parts.filter((part) => part !== '').join(', ')}${reason}`)];
  });

/** The user that the command reported, else the field manager. */
function whoText({ by = '', manager = '' }: RecordedAct): string {
  const who = by === '' ? manager : by;
  return who === '' ? '' : ` by ${who}`;
}
