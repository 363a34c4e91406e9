import { shorten } from '#base/text.ts';

/** The API server refuses conditions with longer messages. */
const longest = 1024;

/** A message short enough for a status. */
export const shortened = (text: string): string => shorten(text, longest);
