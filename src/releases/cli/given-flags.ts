import type { ReleaseFlags } from './release-flags.ts';

/** The flags that name a cluster, a user and a namespace, as a person gave them: with a blank before each. */
export function givenFlags({ namespace, context, kubeconfig, as: user, asGroup = [] }: ReleaseFlags): string {
  const given: readonly (readonly [string, string | undefined])[] = [
    ['-n ', namespace],
    ['--context=', context],
    ['--kubeconfig=', kubeconfig],
    ['--as=', user],
    ...asGroup.map((group) => ['--as-group=', group] as const),
  ];
  return given.map(([flag, value]) => (value === undefined ? '' : ` ${flag}${quoted(value)}`)).join('');
}

/** As a shell reads it. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
