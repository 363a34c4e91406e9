import { durationsHtml, sharesHtml } from '#rehearse/distribution-html.ts';
import { htmlNotes, htmlPage, htmlText as text } from '#rehearse/html-page.ts';
import { operationBody } from './operation-html.ts';
import {
  operationOutcomeTexts as outcomeTexts,
  operationSeeds,
  operationSeedsNotes,
  operationSeedsSubtitle,
  operationSeedsTitle,
  rollbackLines,
  type SeededOperations,
} from './operation-seeds.ts';

/** The page of many rehearsals of an operation: a summary, and an example of each outcome. */
export function operationSeedsHtml(reports: SeededOperations): string {
  const summary = operationSeeds(reports);
  const { runs, outcomes, durations } = summary;
  const idOf = (seed: number): string => `seed-${seed}`;
  return htmlPage(operationSeedsTitle(reports), [
    `<section>
<h1>${text(operationSeedsTitle(reports))}</h1>
<p class="sub">${text(operationSeedsSubtitle(reports))}</p>
${sharesHtml(outcomes, { runs, outcomeTexts, idOf })}
<div class="pair">
${durationsHtml({
  durations,
  values: reports.map(({ seconds, outcome: { type } }) => ({ seconds, type })),
  outcomeTexts,
  until: 'the operation has ended, without its rollback',
})}
</div>
${rollbackLines(summary)
  .map((line) => `<p>${text(line)}.</p>`)
  .join('\n')}
${operationSeedsNotes(reports)
  .map(({ title, lines }) => htmlNotes(title, lines))
  .join('\n')}
</section>`,
    ...outcomes.flatMap(({ seed, type }) =>
      reports
        .filter((report) => report.seed === seed)
        .map(
          (report) => `<section id="${idOf(seed)}">
<h2>${text(`--seed ${seed}: an example of those that ${outcomeTexts[type]}`)}</h2>
${operationBody(report, 'h3')}
</section>`,
        ),
    ),
  ]);
}
