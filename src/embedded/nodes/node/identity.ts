import { hashText } from '#base/hash.ts';

/** 64 hex digits that depend on nothing but the text. */
export const digest = (text: string): string =>
  hashText(`0${text}`) + hashText(`1${text}`) + hashText(`2${text}`) + hashText(`3${text}`);

const byImage = new Map<string, string>();
const most = 4096;

/** The same image text has the same id on every node, another text has another. */
export function imageIdOf(image: string): string {
  const known = byImage.get(image);
  if (known !== undefined) return known;
  const at = image.indexOf('@');
  const id = at >= 0 ? image : `${repositoryOf(image)}@sha256:${digest(image)}`;
  if (byImage.size >= most) byImage.clear();
  byImage.set(image, id);
  return id;
}

/** New with every start; the same when the same start is decided twice. */
export const containerIdOf = (uid: string, container: string, restartCount: number): string =>
  `sim://${digest(`${restartCount}/${container}/${uid}`)}`;

/** The image without its tag. A port of the registry is no tag. */
function repositoryOf(image: string): string {
  const colon = image.lastIndexOf(':');
  return colon > image.lastIndexOf('/') ? image.slice(0, colon) : image;
}
