import { homedir } from 'node:os';
import type { Command } from 'commander';
import { suggest, type Suggested, type Suggestion } from './suggest.ts';

/** What a shell does after the suggestions, in the numbers of cobra, which kubectl reads too. */
const directives = { files: 0, noFiles: 4 } as const;

/** From then on no further page of names is read, in milliseconds from the start of the process. */
const enough = 250;
/** The time that a slow cluster has for its first names. */
const patience = 1000;

/**
 * `boathook __complete -- WORDS…`: prints what the last word can be, one line each, with a tab before its
 * description. The last line is a directive for the shell. No error is printed: it would disturb the line of the person.
 */
export async function complete(program: Command, words: readonly string[]): Promise<number> {
  try {
    const suggested = suggest(program, words);
    if (suggested.type === 'files') return await print([], directives.files);
    const found = suggested.type === 'words' ? suggested.words : await namesOf(suggested);
    return await print(found, directives.noFiles);
  } catch {
    // Such as a kubeconfig that is missing or wrong: there is nothing to suggest.
    return print([], directives.noFiles);
  }
}

async function namesOf({
  source,
  text,
  before,
  place: { flags },
}: Extract<Suggested, { readonly type: 'names' }>): Promise<readonly Suggestion[]> {
  const { objectNames } = await import('./object-names.ts');
  const first = (flag: string): string | undefined => flags.get(flag)?.[0];
  const wanted = {
    source,
    text,
    namespace: first('namespace'),
    flags: {
      kubeconfig: first('kubeconfig')?.replace(/^~(?=\/)/, homedir()),
      context: first('context'),
      as: first('as'),
      asGroup: flags.get('as-group'),
    },
  };
  const names = await objectNames(wanted, {
    isEnough: () => performance.now() > enough,
    signal: AbortSignal.timeout(patience),
  });
  return names.map((name) => ({ value: `${before}${name}`, about: '' }));
}

/** Ends the process: an open connection or a login program must not delay the shell. */
function print(words: readonly Suggestion[], directive: number): Promise<number> {
  const lines = words.map(({ value, about }) => (about === '' ? value : `${value}\t${about}`));
  return new Promise((resolve) => {
    process.stdout.write(`${[...lines, `:${directive}`].join('\n')}\n`, () => {
      resolve(0);
      process.exit(0);
    });
  });
}
