import { hashText } from '#base/hash.ts';
import { memoize } from '#base/memoize.ts';

/** 64 hex digits that depend on nothing but the text. */
export const digest = (text: string): string =>
  hashText(`0${text}`) + hashText(`1${text}`) + hashText(`2${text}`) + hashText(`3${text}`);

/** The same image text has the same id on every node, another text has another. */
export const imageIdOf = memoize(4096, (image) =>
  image.includes('@') ? image : `${repositoryOf(image)}@sha256:${digest(image)}`,
);

/** Changes with every start of the container; the same when one start is computed twice. */
export const containerIdOf = (uid: string, container: string, restartCount: number): string =>
  `sim://${digest(`${restartCount}/${container}/${uid}`)}`;

/** The image without its tag. A port of the registry is no tag. */
function repositoryOf(image: string): string {
  const colon = image.lastIndexOf(':');
  return colon > image.lastIndexOf('/') ? image.slice(0, colon) : image;
}
