import { countText } from '#base/text.ts';
import { binsOf } from './bins.ts';
import { distributionHtml, durationsHtml, sharesHtml } from './distribution-html.ts';
import { histogram } from './histogram.ts';
import { htmlNotes, htmlPage, htmlText as text } from './html-page.ts';
import { reportBody } from './report-html.ts';
import { outcomeTexts, promiseText, seedsTitle } from './seeds-lines.ts';
import { seedsNotes } from './seeds-notes.ts';
import { summaryOfSeeds, type SeededReports, type SeedsSummary } from './seeds-summary.ts';

/** The page of many rehearsals: a summary of each workload, and an example of each outcome. */
export const seedsHtml = (all: readonly SeededReports[]): string =>
  htmlPage(all.map(([{ workload }]) => workload).join(', '), all.flatMap(sections));

function sections(reports: SeededReports, index: number): readonly string[] {
  const summary = summaryOfSeeds(reports);
  const idOf = (seed: number): string => `w${index + 1}-seed-${seed}`;
  return [
    `<section>
<h1>${text(seedsTitle(summary))}</h1>
<p class="sub">${text(subtitle(reports))}</p>
${sharesHtml(summary.outcomes, { runs: summary.runs, outcomeTexts, idOf })}
<div class="pair">
${durationsHtml({
  durations: summary.durations,
  values: reports.map(({ seconds, outcome: { type } }) => ({ seconds, type })),
  outcomeTexts,
  until: 'the release is complete or cannot continue',
})}
${availabilities(reports, summary)}
</div>
${seedsNotes(reports)
  .map(({ title, lines }) => htmlNotes(title, lines))
  .join('\n')}
</section>`,
    ...summary.outcomes.flatMap(({ seed, type }) =>
      reports
        .filter((report) => report.seed === seed)
        .map(
          (report) => `<section id="${idOf(seed)}">
<h2>${text(`${report.workload} with --seed ${seed}: an example of those that ${outcomeTexts[type]}`)}</h2>
${reportBody(report, 'h3')}
</section>`,
        ),
    ),
  ];
}

function subtitle([first, ...others]: SeededReports): string {
  const { replicas, strategy, steps, seed } = first;
  return `${countText(replicas, 'pod')}, ${strategy}, ${countText(steps.length, 'canary step')}, seeds ${seed} to ${others.at(-1)?.seed ?? seed}`;
}

function availabilities(reports: SeededReports, summary: SeedsSummary): string {
  const [{ replicas, availability }] = reports;
  const { least, median, most } = summary.lowestAvailability;
  const values = reports.map(({ availability: { lowest }, outcome: { type } }) => ({ value: lowest, type }));
  const label = `Lowest availability of ${countText(summary.runs, 'rehearsal')}, from ${least} to ${most} of ${countText(replicas, 'pod')}`;
  return distributionHtml('Lowest availability', {
    chart: histogram(binsOf(values, 20), { label, valueText: String, outcomeTexts }),
    numbers: [
      ['lowest', String(least)],
      ['median', String(median)],
      ['highest', String(most)],
    ],
    note: `Rehearsals by the least number of ${countText(replicas, 'pod')} in service; ${promiseText(summary.belowPromise, availability.promised)}; colours as above.`,
  });
}
