import { htmlNotes, htmlPage, htmlText } from '#rehearse/html-page.ts';
import { clockText } from '#rehearse/span-text.ts';
import {
  callCells,
  childText,
  instanceText,
  markedLine,
  registrationNotes,
  registrationOutcomeText,
  registrationSubtitle,
  registrationTitle,
} from './registration-lines.ts';
import type { RegistrationReport, RehearsedChild, RehearsedInstance } from './registration-report.ts';

/** The page of rehearsed edits of registrations. */
export const registrationHtml = (reports: readonly RegistrationReport[]): string =>
  htmlPage(reports[0] === undefined ? 'nothing' : registrationTitle(reports[0]), reports.map(section));

function section(report: RegistrationReport): string {
  return `<section>
<h1>${htmlText(registrationTitle(report))}</h1>
<p class="sub">${htmlText(registrationSubtitle(report))}</p>
<p class="outcome ${report.outcome.type}">${htmlText(registrationOutcomeText(report))}</p>
${instancesTable(report.instances)}
${report.instances.map(instanceSection).join('\n')}
${callsTable(report)}
${registrationNotes(report)
  .map(({ title, lines }) => htmlNotes(title, lines))
  .join('\n')}
</section>`;
}

const tones: Readonly<Partial<Record<RehearsedInstance['result'], string>>> = {
  fails: 'bad',
  waits: 'assumed',
  rolls: 'assumed',
};

const instancesTable = (instances: readonly RehearsedInstance[]): string => `<h2>Instances</h2>
<div class="wide" tabindex="0" role="region" aria-label="Instances"><table><thead><tr><th>Instance</th><th>Registration</th><th>What it becomes</th></tr></thead><tbody>
${instances
  .map(
    (each) =>
      `<tr class="${tones[each.result] ?? 'good'}"><td>${htmlText(each.title)}</td><td>${htmlText(each.registration)}</td><td>${htmlText(instanceText(each))}</td></tr>`,
  )
  .join('\n')}
</tbody></table></div>`;

function instanceSection({ title, children }: RehearsedInstance): string {
  const changed = children.filter(({ change }) => change !== 'same');
  return changed.length === 0 ? '' : `<h2>${htmlText(title)}</h2>\n${changed.map(childPart).join('\n')}`;
}

function childPart(child: RehearsedChild): string {
  const lines = child.diff.flatMap(({ header, lines: changed }) => [
    `<span class="at">${htmlText(header)}</span>`,
    ...changed.map((line) => `<span class="${line.type}">${htmlText(markedLine(line))}</span>`),
  ]);
  const diff =
    lines.length === 0 || child.change !== 'changed'
      ? ''
      : `<pre tabindex="0" role="region" aria-label="${htmlText(child.title)}">${lines.join('\n')}</pre>`;
  return `<p>${htmlText(childText(child))}.</p>\n${diff}`;
}

const callsTable = ({ calls }: RegistrationReport): string =>
  calls.length === 0
    ? ''
    : `<h2>Calls of hooks</h2>
<div class="wide" tabindex="0" role="region" aria-label="Calls of hooks"><table><thead><tr><th>Time</th><th>Hook and phase</th><th>Instance</th><th>Reply</th></tr></thead><tbody>
${calls
  .map(
    (call) =>
      `<tr class="${call.isGood ? 'good' : 'bad'}"><td>${clockText(call.at)}</td>${callCells(call)
        .map((cell) => `<td>${htmlText(cell)}</td>`)
        .join('')}</tr>`,
  )
  .join('\n')}
</tbody></table></div>`;
