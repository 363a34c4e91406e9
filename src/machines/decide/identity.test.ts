import { expect, test } from 'vitest';
import { belongings, findingsText, readFindings, type Belonging } from './identity.ts';

const ca = (digit: string): string => `sha256:${digit.repeat(64)}`;
const member = (cluster: string, digit: string): string =>
  [
    `identity.cluster=${cluster}`,
    `identity.id=${ca(digit)}`,
    'identity.version=1.30.2',
    'identity.role=master',
    `ca=${ca(digit)}`,
    'control-plane=yes',
    '',
  ].join('\n');

test.for<{
  readonly name: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly known?: readonly string[];
  readonly whose: Readonly<Record<string, Belonging>>;
}>([
  { name: 'a fresh machine belongs to no cluster', texts: { m1: '' }, whose: { m1: 'nobody' } },
  { name: 'the name of the cluster is enough', texts: { m1: member('harbour', 'a') }, whose: { m1: 'ours' } },
  {
    name: 'but not where another CA is recorded for it',
    texts: { m1: member('harbour', 'b') },
    known: [ca('a')],
    whose: { m1: 'foreign' },
  },
  {
    name: "another's name is refused whatever its CA is",
    texts: { m1: member('lagoon', 'a') },
    known: [ca('a')],
    whose: { m1: 'foreign' },
  },
  {
    name: 'a control plane without a name is recognised by the recorded CA',
    texts: { m1: `ca=${ca('a')}\ncontrol-plane=yes\n` },
    known: [ca('a')],
    whose: { m1: 'ours' },
  },
  {
    name: 'or by the CA of a machine that names the cluster',
    texts: { m1: `ca=${ca('a')}\ncontrol-plane=yes\n`, w1: `ca=${ca('a')}\nkubelet=yes\njoined=harbour\n` },
    whose: { m1: 'ours', w1: 'ours' },
  },
  {
    name: 'else it is foreign',
    texts: { m1: `ca=${ca('a')}\ncontrol-plane=yes\n`, w1: `ca=${ca('b')}\nkubelet=yes\njoined=harbour\n` },
    whose: { m1: 'foreign', w1: 'ours' },
  },
  {
    name: 'a renewed CA is no other cluster',
    texts: { m1: member('harbour', 'a').replace(`ca=${ca('a')}`, `ca=${ca('b')}`) },
    known: [ca('a')],
    whose: { m1: 'ours' },
  },
  {
    name: 'what a reset by hand leaves behind counts for nothing',
    texts: { m1: `identity.cluster=lagoon\nidentity.id=${ca('a')}\njoined=lagoon\n` },
    whose: { m1: 'nobody' },
  },
])('$name', ({ texts, known = [], whose }) => {
  const found = new Map(Object.entries(texts).map(([node, text]) => [node, readFindings(text)]));
  expect(Object.fromEntries(belongings({ id: 'harbour' }, found, known))).toEqual(whose);
});

test('what is found is named: cluster, version, role and CA', () => {
  expect(findingsText(readFindings(member('lagoon', 'a')), 'harbour')).toBe(
    'belongs to the cluster "lagoon" (version 1.30.2, role master, CA sha256:aaaaaaaaaaaa), not to "harbour"',
  );
  expect(findingsText(readFindings(`ca=${ca('a')}`), 'harbour')).toContain(
    'unknown cluster (CA sha256:aaaaaaaaaaaa)',
  );
});

test('an operation that has not ended is read from the machine', () => {
  const text = `${member('harbour', 'a')}identity.unfinished=op-1\n`;
  expect(readFindings(text).identity?.unfinished).toBe('op-1');
  expect(readFindings('joining=yes\njoining.cluster=harbour\njoining.operation=op-2\n').joining).toBe('op-2');
  expect(readFindings('joining=yes\n').joining, 'of an earlier version').toBe('');
});
