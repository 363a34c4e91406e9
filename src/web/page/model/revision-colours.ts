import type { RevisionBranch } from '#releases/decide/view/revision-branch.ts';

/** Number of colours for revisions in the style sheet. */
const colours = 6;

/** A colour from 1 for each revision. It stays the same while the revision exists: it follows from its number. */
export const colourOf = ({ number }: Pick<RevisionBranch, 'number'>): number => (number % colours) + 1;

/** `A` for the first revision, `B` for the second: the same information without colour. */
export const letterOf = ({ number }: Pick<RevisionBranch, 'number'>): string =>
  number === 0 ? '?' : String.fromCodePoint(65 + ((number - 1) % 26));
