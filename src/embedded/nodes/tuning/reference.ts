import { tuningPrefix } from './annotations.ts';
import { tuningTable } from './keys.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The table of annotations for the reference page. */
export function tuningReference(): string {
  const rows = Object.entries(tuningTable).map(
    ([key, { meaning, form, example }]) =>
      `| \`${tuningPrefix}${key}\` | ${cell(meaning)} | ${cell(form)} | \`${cell(example)}\` |`,
  );
  return ['| Annotation | Meaning | Value | Example |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
