import { Option, type Command } from 'commander';

/** The flags that kubectl accepts before the words of a command, each with a value. */
const leading: ReadonlyMap<string, string> = new Map([
  ['-n', '--namespace'],
  ...['--namespace', '--kubeconfig', '--context', '--as', '--as-group'].map((flag) => [flag, flag] as const),
]);

/** A leading flag as an option; undefined for any other flag. */
export function leadingFlag(name: string): Option | undefined {
  const flag = leading.get(name);
  return flag === undefined ? undefined : new Option(`${flag} <value>`);
}

/**
 * Moves cluster flags that stand before a command, as in `boathook -n games release list`, behind its words: there
 * commander expects them.
 */
export function withFlagsLast(program: Command, argv: readonly string[]): readonly string[] {
  const rest = [...argv];
  const path: string[] = [];
  const moved: string[] = [];
  let command: Command | undefined = program;
  while (command !== undefined && rest.length > 0) {
    const [word = ''] = rest;
    const taken = flagAt(rest);
    if (taken !== undefined) {
      moved.push(...taken.flag);
      rest.splice(0, taken.words);
      continue;
    }
    command = command.commands.find((each) => each.name() === word);
    if (command !== undefined) path.push(...rest.splice(0, 1));
    if (command?.commands.length === 0) break;
  }
  return path.length === 0 ? argv : [...path, ...moved, ...rest];
}

type LeadingFlag = { readonly flag: readonly string[]; readonly words: number };

/** The flag that a list of words begins with: `-n games`, `-ngames`, `--namespace=games`. */
function flagAt([word = '', value]: readonly string[]): LeadingFlag | undefined {
  const [name = '', ...inline] = word.split('=');
  const flag = leading.get(name);
  if (flag !== undefined && inline.length > 0) return { flag: [flag, inline.join('=')], words: 1 };
  if (flag !== undefined && value !== undefined) return { flag: [flag, value], words: 2 };
  return /^-n./.test(word) ? { flag: ['--namespace', word.slice(2)], words: 1 } : undefined;
}
