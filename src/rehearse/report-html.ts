import { budgetLines } from './budget-lines.ts';
import { htmlNotes, htmlPage, htmlText as text, type Heading } from './html-page.ts';
import { legend } from './legend.ts';
import { podsChart } from './pods-chart.ts';
import type { RehearsalReport } from './rehearsal-report.ts';
import { availabilityLine, noteSections, outcomeLine, subtitleLine, titleLine } from './report-lines.ts';
import { clockText } from './span-text.ts';
import { timelineEntries } from './timeline-entries.ts';

const keys = legend([
  ['new', 'new revision in service'],
  ['old', 'old revision in service'],
  ['away', 'not in service'],
  ['promise', 'what maxUnavailable promises'],
  ['pass', 'hook call that passed'],
  ['fail', 'hook call that did not pass'],
]);

/** The page of rehearsed releases. */
export const reportHtml = (reports: readonly RehearsalReport[]): string =>
  htmlPage(reports.map(({ workload }) => workload).join(', '), reports.map(section));

const section = (report: RehearsalReport): string => `<section>
<h1>${text(titleLine(report))}</h1>
${reportBody(report, 'h2')}
</section>`;

/** A report without its title; `heading` is for the titles of its notes. */
export function reportBody(report: RehearsalReport, heading: Heading): string {
  const rows = timelineEntries(report).map(
    ({ at, tone, text: line }) =>
      `<tr class="${tone}"><td>${clockText(at)}</td><td>${text(line.replace(/ {2,}/g, ' · '))}</td></tr>`,
  );
  return `<p class="sub">${text(subtitleLine(report))}</p>
<p class="outcome ${report.outcome.type}">${text(outcomeLine(report))}</p>
<figure tabindex="0" aria-label="Pods over time">
${podsChart(report)}
<figcaption>${keys}<br>Numbers are canary steps.</figcaption>
</figure>
${[availabilityLine(report), ...budgetLines(report)].map((line) => `<p>${text(line)}</p>`).join('\n')}
<table><thead><tr><th>Time</th><th>What happens</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
${noteSections(report)
  .map(({ title, lines }) => htmlNotes(title, lines, heading))
  .join('\n')}`;
}
