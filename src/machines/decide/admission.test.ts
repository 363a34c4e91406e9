import { expect, test } from 'vitest';
import { admit, isOlder, type AdmissionRequest } from './admission.ts';
import { compileEggo } from './eggo.ts';
import { readFindings } from './identity.ts';

const { cluster } = compileEggo(
  {
    'cluster-id': 'harbour',
    password: 'secret',
    'kubernetes-version': '1.30.2',
    masters: [{ name: 'm1', ip: '192.0.2.1' }],
    workers: [{ name: 'w1', ip: '192.0.2.2' }],
  },
  '/d.yaml',
  { agent: false, home: '/' },
);
const nodes = [
  { name: 'm1', address: '192.0.2.1' },
  { name: 'w1', address: '192.0.2.2' },
];
const ours = 'identity.cluster=harbour\nidentity.id=sha256:a\nidentity.version=v1.30.2\nca=sha256:a\n';
const theirs = ours.replace('harbour', 'lagoon').replaceAll('sha256:a', 'sha256:b');
const found = (texts: Readonly<Record<string, string>>): AdmissionRequest['found'] =>
  new Map(Object.entries(texts).map(([node, text]) => [node, readFindings(text)]));

const request = (more: Partial<AdmissionRequest>): AdmissionRequest => ({
  operation: 'cluster.create',
  cluster,
  nodes: [],
  isSurveyed: true,
  found: new Map(),
  known: [],
  adopts: false,
  ...more,
});

test.for<{ readonly name: string; readonly given: Partial<AdmissionRequest>; readonly end: string }>([
  { name: 'fresh machines', given: { found: found({ m1: '', w1: '' }) }, end: 'go' },
  { name: 'complete by its machines', given: { found: found({ m1: ours, w1: ours }) }, end: 'nothing' },
  {
    name: 'complete by our records alone',
    given: { isSurveyed: false, record: { version: '1.30.2', nodes } },
    end: 'nothing',
  },
  {
    name: 'recorded, and its machines were reinstalled since',
    given: { found: found({ m1: '', w1: '' }), record: { nodes } },
    end: 'go',
  },
  { name: 'recorded, and no machine answers', given: { record: { nodes } }, end: 'go' },
  {
    name: 'a machine was replaced under its old name',
    given: {
      isSurveyed: false,
      record: { nodes: [...nodes.slice(0, 1), { name: 'w1', address: '192.0.2.9' }] },
    },
    end: 'refused: boathook cluster join w1',
  },
  {
    name: 'a machine more',
    given: { found: found({ m1: ours, w1: '' }) },
    end: 'refused: boathook cluster join w1',
  },
  {
    name: 'another version',
    given: { found: found({ m1: ours.replace('1.30.2', '1.29.0'), w1: ours }) },
    end: 'refused: boathook cluster upgrade',
  },
  {
    name: 'begun elsewhere and not completed',
    given: { found: found({ m1: `${ours}identity.unfinished=op-1\n`, w1: '' }) },
    end: 'refused: boathook cluster resume',
  },
  { name: 'begun here', given: { begun: 'it was begun' }, end: 'refused: it was begun' },
  {
    name: 'workers without their master',
    given: { found: found({ m1: '', w1: ours }) },
    end: 'refused: resume',
  },
  {
    name: "another's control plane",
    given: { found: found({ m1: theirs, w1: '' }) },
    end: 'refused: --adopt',
  },
  {
    name: 'which is to be taken over',
    given: { found: found({ m1: theirs, w1: theirs }), adopts: true },
    end: 'go',
  },
  {
    name: "another's worker cannot be taken over alone",
    given: { found: found({ m1: '', w1: theirs }), adopts: true },
    end: 'refused: kubeadm reset',
  },
  {
    name: "a removal never takes another's cluster over",
    given: { operation: 'cluster.delete', found: found({ m1: theirs }), adopts: true },
    end: 'refused: the file of that cluster',
  },
  {
    name: 'the join of a member',
    given: { operation: 'node.join', nodes: ['w1'], found: found({ m1: ours, w1: ours }) },
    end: 'nothing',
  },
  {
    name: 'the join of a machine whose join broke off',
    given: { operation: 'node.join', nodes: ['w1'], found: found({ m1: ours, w1: 'joining=yes\n' }) },
    end: 'refused: resume',
  },
  {
    name: 'a join with another version',
    given: {
      operation: 'node.join',
      nodes: ['w1'],
      found: found({ m1: ours.replace('1.30.2', '1.29.0'), w1: '' }),
    },
    end: 'refused: boathook cluster upgrade',
  },
])('$name', ({ given, end }) => {
  const admission = admit(request(given));
  const [type, words = ''] = end.split(': ');
  expect(admission.type, JSON.stringify(admission)).toBe(type);
  if (admission.type !== 'go') expect(admission.message).toContain(words);
});

test('a takeover is reported, and accepted by the CA of that cluster', () => {
  expect(admit(request({ found: found({ m1: theirs, w1: theirs }), adopts: true }))).toMatchObject({
    accepts: ['adopt:sha256:b'],
    adopted: [expect.stringContaining('"lagoon"'), expect.anything()],
  });
});

test.for([
  ['1.29.9', '1.30.2', true],
  ['v1.30.2', '1.30.2', false],
  ['1.30.10', '1.30.9', false],
  ['1.30', '1.30.2', false],
] as const)('%s is older than %s: %s', ([wanted, than, older]) => {
  expect(isOlder(wanted, than)).toBe(older);
});
