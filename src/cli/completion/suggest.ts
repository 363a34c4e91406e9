import type { Argument, Command, Option } from 'commander';
import type { NameSource } from './object-names.ts';
import { placeOf, type Place } from './words.ts';

export type Suggestion = { readonly value: string; readonly about: string };

/** What can stand at a place of a command line. */
export type Suggested =
  | { readonly type: 'words'; readonly words: readonly Suggestion[] }
  /** Names to be read from the cluster or the kubeconfig. */
  | {
      readonly type: 'names';
      readonly source: NameSource;
      readonly text: string;
      readonly before: string;
      readonly place: Place;
    }
  | { readonly type: 'files' };

export function suggest(program: Command, words: readonly string[]): Suggested {
  const place = placeOf(program, words);
  const { command, wants } = place;
  switch (wants.type) {
    case 'flag':
      return beginning(wants.text, flagsOf(place));
    case 'value':
      return valueOf(place, wants.option, wants);
    case 'argument':
      return command.commands.length > 0 && place.args.length === 0
        ? beginning(wants.text, commandsOf(command))
        : argumentOf(place, wants.text);
  }
}

const commandsOf = (command: Command): readonly Suggestion[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), about: firstLine(each.description()) }));

/** The flags that are not given yet, or can be given again. */
const flagsOf = ({ command, flags }: Place): readonly Suggestion[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter((each) => !flags.has(each.name()) || each.parseArg !== undefined)
    .map((each) => ({ value: each.long ?? each.short ?? '', about: firstLine(each.description) }));

type Partial = { readonly text: string; readonly before: string };

function valueOf(place: Place, option: Option, { text, before }: Partial): Suggested {
  const source = namesOfFlag[option.name()];
  if (source !== undefined) return { type: 'names', source, text, before, place };
  if (/<(?:path|file)\b/.test(option.flags)) return { type: 'files' };
  const known = valuesOfFlag[option.name()] ?? listed(option.description);
  return beginning(
    `${before}${text}`,
    known.map((value) => ({ value: `${before}${value}`, about: '' })),
  );
}

const namesOfFlag: Readonly<Record<string, NameSource>> = { namespace: 'namespaces', context: 'contexts' };

const valuesOfFlag: Readonly<Record<string, readonly string[]>> = {
  authorization: ['rbac', 'allow'],
  installer: ['kubeadm', 'commands', 'none'],
  profile: ['instant', 'fast', 'realistic'],
  verdict: ['Successful', 'Failed', 'Inconclusive'],
};

/** The values that a description begins with: `json, yaml: another format`, `yaml or json`. */
const listed = (description: string): readonly string[] =>
  /^[a-z]+(?:(?:, | or )[a-z]+)*(?=:|$)/.exec(description)?.[0].split(/, | or /) ?? [];

function argumentOf(place: Place, text: string): Suggested {
  const { command, args } = place;
  const all = command.registeredArguments;
  const argument = all[args.length] ?? (all.at(-1)?.variadic === true ? all.at(-1) : undefined);
  if (argument === undefined) return nothing;
  const source = sourceOf(command, argument);
  if (source !== undefined) return { type: 'names', source, text, before: '', place };
  return beginning(
    text,
    listed(argument.description).map((value) => ({ value, about: '' })),
  );
}

const sources: Readonly<Record<string, NameSource>> = {
  'cluster name': 'clusters',
  'hook name': 'runs',
  'hook template': 'templates',
  'node name': 'nodes',
  'release workload': 'workloads',
  'set workload': 'workloads',
  'sim pod': 'pods',
};

/** The names that an argument of a group of commands has. */
const sourceOf = ({ parent }: Command, argument: Argument): NameSource | undefined =>
  sources[`${parent?.name() ?? ''} ${argument.name()}`];

const nothing: Suggested = { type: 'words', words: [] };

const beginning = (text: string, all: readonly Suggestion[]): Suggested => ({
  type: 'words',
  words: all.filter(({ value }) => value.startsWith(text)),
});

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
