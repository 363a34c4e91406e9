import { harmlessText } from '#base/harmless-text.ts';
import { escapeHtml } from '#base/escape-html.ts';
import { podsChart } from './pods-chart.ts';
import { pageStyle } from './page-style.ts';
import type { RehearsalReport } from './rehearsal-report.ts';
import { availabilityLine, noteSections, outcomeLine, subtitleLine, titleLine } from './report-lines.ts';
import { clockText } from './span-text.ts';
import { timelineEntries } from './timeline-entries.ts';

/** A page of its own: no script, and nothing is loaded from elsewhere. */
export const reportHtml = (reports: readonly RehearsalReport[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(reports.map(({ workload }) => workload).join(', '))}: rehearsal</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
${reports.map(section).join('\n')}
</main>
</body>
</html>
`;

const text = (value: string): string => escapeHtml(harmlessText(value));
const list = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${text(line)}</li>`).join('')}</ul>`;

function section(report: RehearsalReport): string {
  const rows = timelineEntries(report).map(
    ({ at, tone, text: line }) =>
      `<tr class="${tone}"><td>${clockText(at)}</td><td>${text(line.replace(/ {2,}/g, ' · '))}</td></tr>`,
  );
  return `<section>
<h1>${text(titleLine(report))}</h1>
<p class="sub">${text(subtitleLine(report))}</p>
<p class="outcome ${report.outcome.type}">${text(outcomeLine(report))}</p>
<figure tabindex="0" aria-label="Pods over time">
${podsChart(report)}
<figcaption><span class="key new"></span>new revision in service <span class="key old"></span>old revision in service <span class="key away"></span>not in service <span class="key promise"></span>what maxUnavailable promises <span class="key pass"></span>hook call that passed <span class="key fail"></span>hook call that did not; numbers are canary steps</figcaption>
</figure>
<p>${text(availabilityLine(report))}</p>
<table><thead><tr><th>Time</th><th>What happens</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
${noteSections(report)
  .map(({ title, lines }) => `<h2>${text(title)}</h2>${list(lines)}`)
  .join('\n')}
</section>`;
}
