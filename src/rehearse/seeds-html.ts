import { countText } from '#base/text.ts';
import { binsFor, binsOf } from './bins.ts';
import { histogram } from './histogram.ts';
import { htmlNotes, htmlPage, htmlText as text } from './html-page.ts';
import { reportBody } from './report-html.ts';
import { outcomeTexts, promiseText, seedsTitle } from './seeds-lines.ts';
import { seedsNotes } from './seeds-notes.ts';
import { summaryOfSeeds, type OutcomeShare, type SeededReports, type SeedsSummary } from './seeds-summary.ts';
import { spanText } from './span-text.ts';

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
<h2>Outcomes</h2>
<ul class="shares">
${summary.outcomes.map((share) => shareItem(share, summary.runs, idOf(share.seed))).join('\n')}
</ul>
<div class="pair">
${durations(reports, summary)}
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

const shareItem = ({ type, runs, seed, message }: OutcomeShare, all: number, id: string): string =>
  `<li class="${type}"><strong>${runs} of ${all} (${percentText(runs, all)})</strong> ${text(outcomeTexts[type])}${message === '' ? '' : `: ${text(message)}`} (for instance <a href="#${id}">--seed ${seed}</a>)
<div class="share"><div class="part ${type}" style="width: ${(100 * runs) / all}%"></div></div></li>`;

/** Neither some as none nor most as all. */
export function percentText(part: number, all: number): string {
  const percent = Math.round((100 * part) / all);
  if (percent === 0 && part > 0) return 'under 1 %';
  return percent === 100 && part < all ? 'over 99 %' : `${percent} %`;
}

function durations(
  reports: SeededReports,
  { runs, seconds: { least, median, p90, most } }: SeedsSummary,
): string {
  const values = reports.map(({ seconds, outcome: { type } }) => ({ value: Math.round(seconds), type }));
  const label = `Durations of ${countText(runs, 'rehearsal')}, from ${spanText(least)} to ${spanText(most)}`;
  return figure('Duration', {
    chart: histogram(binsOf(values, binsFor(runs)), { label, valueText: spanText }),
    numbers: [
      ['least', spanText(least)],
      ['median', spanText(median)],
      ['90 % within', spanText(p90)],
      ['longest', spanText(most)],
    ],
    note: 'Rehearsals by the time until the release is complete or cannot continue; colours as above.',
  });
}

function availabilities(reports: SeededReports, summary: SeedsSummary): string {
  const [{ replicas, availability }] = reports;
  const { least, median, most } = summary.lowestAvailability;
  const values = reports.map(({ availability: { lowest }, outcome: { type } }) => ({ value: lowest, type }));
  const label = `Lowest availability of ${countText(summary.runs, 'rehearsal')}, from ${least} to ${most} of ${countText(replicas, 'pod')}`;
  return figure('Lowest availability', {
    chart: histogram(binsOf(values, 20), { label, valueText: String }),
    numbers: [
      ['lowest', String(least)],
      ['median', String(median)],
      ['highest', String(most)],
    ],
    note: `Rehearsals by the least number of ${countText(replicas, 'pod')} in service; ${promiseText(summary.belowPromise, availability.promised)}; colours as above.`,
  });
}

type Distribution = {
  readonly chart: string;
  readonly numbers: readonly (readonly [string, string])[];
  readonly note: string;
};

const figure = (title: string, { chart, numbers, note }: Distribution): string => `<div>
<h2>${title}</h2>
<dl>${numbers.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>
<figure>
${chart}
<figcaption>${text(note)}</figcaption>
</figure>
</div>`;
