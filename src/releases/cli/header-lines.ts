import { formatAge } from '#base/age.ts';
import { millis, parseTime, type Instant } from '#base/time.ts';
import { plain, styled, wrappedText, type StyledLine } from '#command/styled-line.ts';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import { imagesText, shortTitle, stepText, whyText } from './release-words.ts';
import { toneOf } from './tone.ts';
import { trackLines } from './track-line.ts';

const indent = 11;
/** The least room for text beside a label. */
const least = 20;

/** What a release is and where it stands, as labelled lines. */
export function headerLines(view: ReleaseView, now: Instant, columns: number): readonly StyledLine[] {
  const room = Math.max(least, columns - indent);
  const { phase, reason, namespace, strategy, replicas, message, images } = view;
  const state = styled(reason === '' ? phase : `${phase} (${reason})`, toneOf(phase) ?? 'strong');
  const why = view.isObserved && !view.isDeleting ? message : whyText(view);
  return [
    ...labelled('Name', [[styled(shortTitle(view), 'strong')]]),
    ...labelled('Namespace', [[plain(namespace)]]),
    ...labelled('Phase', [[state, { text: sinceText(view, now), tone: 'faint' }]]),
    ...labelled(
      'Message',
      wrappedText(why, room).map((text) => [{ text }]),
    ),
    ...labelled(
      'Images',
      wrappedText(imagesText(images), room).map((text) => [{ text }]),
    ),
    ...labelled('Strategy', [[plain(strategy)]]),
    ...labelled('Pods', [
      [
        plain(
          `${replicas.desired} desired, ${replicas.ready} ready, ${replicas.updated} updated, ${replicas.updatedReady} updated and ready`,
        ),
      ],
    ]),
    ...(view.steps.length === 0
      ? []
      : [
          ...labelled('Step', [[plain(stepText(view) || '-')]]),
          ...labelled('Track', trackLines(view, now, room)),
        ]),
  ];
}

/** The first line has the label, the others its width in blanks. */
const labelled = (label: string, lines: readonly StyledLine[]): readonly StyledLine[] =>
  lines.map((line, i) => [{ text: (i === 0 ? `${label}:` : '').padEnd(indent) }, ...line]);

/** How long it has been paused. */
function sinceText({ pauses }: ReleaseView, now: Instant): string {
  const start = parseTime(pauses[0]?.startTime ?? '');
  return start === undefined || start > now ? '' : ` for ${formatAge(millis(now - start))}`;
}
