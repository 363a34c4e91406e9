/** A patch of one file, as `git diff` prints it. */
export type SourcePatch = { readonly file: string; readonly hunks: readonly PatchHunk[] };
export type PatchHunk = { readonly from: string; readonly to: string };

/** Reads a unified diff of one or more files. Line numbers are ignored: a hunk is found by its text. */
export function readPatches(text: string): readonly SourcePatch[] {
  const parts = text.split(/^(?=--- a\/)/m).slice(1);
  if (parts.length === 0)
    throw new Error('the patch names no file: it needs lines "--- a/PATH" and "+++ b/PATH"');
  return parts.map(readPatch);
}

function readPatch(text: string): SourcePatch {
  const file = /^\+\+\+ b\/(\S+)$/m.exec(text)?.[1];
  if (file === undefined) throw new Error('the patch names no file: it needs a line "+++ b/PATH"');
  const hunks = text
    .split(/^@@.*$\n?/m)
    .slice(1)
    .map(hunkOf);
  if (hunks.length === 0) throw new Error(`the patch of ${file} has no hunk`);
  return { file, hunks };
}

function hunkOf(text: string): PatchHunk {
  const lines = text.split('\n').filter((line) => /^[ +-]/.test(line));
  const side = (sign: string): string =>
    lines
      .filter((line) => line.startsWith(' ') || line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  return { from: side('-'), to: side('+') };
}

/** The source with the patch. Throws when a hunk does not fit in exactly one place. */
export function applyPatch(source: string, { file, hunks }: SourcePatch): string {
  return hunks.reduce((text, { from, to }) => {
    const [before, after, ...more] = text.split(from);
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(
        `a hunk of the patch fits ${more.length + (after === undefined ? 0 : 1)} times into ${file}; change the patch as the source has changed:\n${from}`,
      );
    return `${before}${to}${after}`;
  }, source);
}
