import { expect, test } from 'vitest';
import { withFlagsLast } from './leading-flags.ts';
import { programOf } from '#cli/program.ts';

const moved = (line: string): string =>
  withFlagsLast(
    programOf('boathook', () => undefined),
    line.split(' '),
  ).join(' ');

test.for([
  ['-n games release list', 'release list --namespace games'],
  [
    '--context=prod release -ngames get gd/shop -w',
    'release get --context prod --namespace games gd/shop -w',
  ],
  ['--as eve --as-group a --as-group b hook list', 'hook list --as eve --as-group a --as-group b'],
  ['--context release release set image gd/a a=b', 'release set image --context release gd/a a=b'],
  ['--kubeconfig a=b hook get x', 'hook get --kubeconfig a=b x'],
  ['release get gd/shop -n games', 'release get gd/shop -n games'],
  ['release -o json list', 'release -o json list'],
  ['--context prod', '--context prod'],
  ['--context prod nothing', '--context prod nothing'],
  ['cluster join -n x a', 'cluster join -n x a'],
  ['--help', '--help'],
])('%s', ([given = '', expected]) => {
  expect(moved(given)).toBe(expected);
});
