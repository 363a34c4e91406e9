import { ExitError } from '#command/exit.ts';

/** `--from-version`, written as the version in the file: with a `v` or without. Ends the command when it is no version. */
export function fromVersion(given: string | undefined, wanted: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const [, bare] = /^v?(\d+\.\d+(?:\.\d+)?(?:[-+][\w.+-]+)?)$/.exec(given) ?? [];
  if (bare === undefined)
    throw new ExitError(2, `--from-version ${given} is not a version: write one such as 1.33.4`);
  return wanted?.startsWith('v') === true ? `v${bare}` : bare;
}
