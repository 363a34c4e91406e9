import { expect, test } from 'vitest';
import { programOf } from '#cli/program.ts';
import { suggest } from './suggest.ts';

const program = programOf('boathook', () => undefined);

/** `a b ^` completes an empty word after `a b`. */
function suggested(line: string): string {
  const found = suggest(program, line.replace('^', '').split(' '));
  switch (found.type) {
    case 'files':
      return 'files';
    case 'names':
      return `names of ${found.source} with ${JSON.stringify(found.text)}${found.before === '' ? '' : ` after ${found.before}`}`;
    case 'words':
      return found.words.map(({ value }) => value).join(' ');
  }
}

test.for([
  ['re^', 'release registration rehearse'],
  ['release re^', 'resume retry restart'],
  ['release set ^', 'image help'],
  ['-n games release li^', 'list lint'],
  ['release -n games li^', 'list lint'],
  ['hook stop --v^', '--verdict'],
  ['hook stop --verdict ^', 'Successful Failed Inconclusive'],
  ['hook stop --verdict=F^', '--verdict=Failed'],
  ['hook list -o ^', 'json'],
  ['release list -o ^', 'json yaml name wide'],
  ['release list --output=y^', '--output=yaml'],
  ['registration render -o ^', 'yaml json'],
  ['up --profile ^', 'instant fast realistic'],
  ['completion ^', 'bash zsh fish'],
  ['cluster plan d^', 'deploy delete'],
  ['release get ^', 'names of workloads with ""'],
  ['release get -w gd/^', 'names of workloads with "gd/"'],
  ['release -n games get gd/sh^', 'names of workloads with "gd/sh"'],
  ['release set image gd/^', 'names of workloads with "gd/"'],
  ['release get -- gd/^', 'names of workloads with "gd/"'],
  ['release get gd/shop ^', ''],
  ['hook run ^', 'names of templates with ""'],
  ['hook run --wait --timeout 5s we^', 'names of templates with "we"'],
  ['hook run --timeout ^', ''],
  ['hook get a^', 'names of runs with "a"'],
  ['sim crash ^', 'names of pods with ""'],
  ['sim node down ^', 'names of nodes with ""'],
  ['cluster status ^', 'names of clusters with ""'],
  ['release get -n ^', 'names of namespaces with ""'],
  ['release list --namespace=ga^', 'names of namespaces with "ga" after --namespace='],
  ['--context ^', 'names of contexts with ""'],
  ['controller --context=^', 'names of contexts with "" after --context='],
  ['hook list --kubeconfig ^', 'files'],
  ['release lint -f ^', 'files'],
  ['release lint -f a --filen^', '--filename'],
  ['hook run a --wait --wa^', ''],
  ['hook run a --arg b=c --ar^', '--arg'],
  ['nothing ^', ''],
  ['release nothing ^', ''],
  ['__comp^', ''],
])('%s', ([line = '', expected]) => {
  expect(suggested(line)).toBe(expected);
});

test('the values of flags before the word are known', () => {
  const line = '--context=prod release -ngames get --as eve --as-group a --as-group=b ';
  const found = suggest(program, line.split(' '));
  expect(found.type === 'names' && Object.fromEntries(found.place.flags)).toEqual({
    context: ['prod'],
    namespace: ['games'],
    as: ['eve'],
    'as-group': ['a', 'b'],
  });
});

test('every -o has formats', () => {
  const all = [program, ...program.commands].flatMap((each) => [each, ...each.commands]);
  const withoutFormats = all.filter(
    (each) =>
      each.options.some(({ long }) => long === '--output') && suggested(`${pathOf(each)} -o ^`) === '',
  );
  expect(withoutFormats.map(pathOf)).toEqual([]);
});

const pathOf = (command: typeof program): string =>
  command.parent === null || command.parent === program
    ? command.name()
    : `${pathOf(command.parent)} ${command.name()}`;
