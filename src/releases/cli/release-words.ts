import { ageSince, momentOf } from '#base/age.ts';
import type { Instant } from '#base/time.ts';
import type { ContainerImage, ReleaseSummary } from '#releases/decide/view/release-summary.ts';
import type { RunView } from '#releases/decide/view/run-view.ts';

/** `gd/shop`. */
export const shortTitle = ({ kind, name }: Pick<ReleaseSummary, 'kind' | 'name'>): string =>
  `${kind === 'GameDeployment' ? 'gd' : 'gsts'}/${name}`;

/** The images of a template; with the names of their containers where there are several. */
export const imagesText = (images: readonly ContainerImage[], isShort = false): string => {
  const textOf = (image: string): string => (isShort ? shortImage(image) : image);
  return images.length === 1
    ? textOf(images[0]?.image ?? '')
    : images.map(({ container, image }) => `${container}=${textOf(image)}`).join(' ');
};

/** Without its registry, and with the beginning of a digest: the tag is what differs between releases. */
const shortImage = (image: string): string =>
  image.replace(/^.*\//, '').replace(/(@sha256:[0-9a-f]{8})[0-9a-f]+$/, '$1');

/** In a narrower terminal images are shortened. */
export const hasShortImages = (columns: number): boolean => columns < 120;

export const stepText = ({ step }: Pick<ReleaseSummary, 'step'>): string =>
  step === undefined ? '' : `${step.current}/${step.count}`;

/** What stops a release, or what it waits for: the reason and the sentence. Empty when it is complete. */
export function whyText({ phase, reason, message, isObserved, isDeleting }: ReleaseSummary): string {
  if (isDeleting) return 'It is being deleted.';
  if (!isObserved) return 'The controller has not seen the last change yet.';
  if (phase === 'Complete') return '';
  return [reason, message].filter((each) => each !== '').join(': ');
}

export const ageText = (created: string, now: Instant): string => ageSince(momentOf(created), now);

/** `step 5`, `before the update of pod 3`. */
export function hookPointText({ point, step, instance }: RunView): string {
  if (step !== undefined) return `hook of step ${step}`;
  const what = pointWords[point] ?? point;
  return `hook ${what}${instance === undefined ? '' : ` of pod ${instance}`}`;
}

const pointWords: Readonly<Record<string, string>> = {
  'pre-delete': 'before deletion',
  'pre-inplace': 'before update',
  'post-inplace': 'after update',
};
