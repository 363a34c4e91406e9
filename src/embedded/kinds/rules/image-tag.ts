/** The tag of an image's name, `latest` when it has neither tag nor digest; empty for what is no image name. */
export function imageTag(image: string): string {
  const match = imageName.exec(image);
  if (match === null) return '';
  if (match[1] !== undefined) return match[1];
  return match[2] === undefined ? 'latest' : '';
}

const separated = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const host = '(?:[A-Za-z0-9][-A-Za-z0-9]*(?:\\.[A-Za-z0-9][-A-Za-z0-9]*)*|\\[[0-9a-fA-F:]+\\])(?::\\d+)?';
const imageName = new RegExp(
  `^(?:${host}/)?${separated}(?:/${separated})*(?::([A-Za-z0-9_][-A-Za-z0-9_.]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);
