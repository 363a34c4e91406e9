import { expect, test } from 'vitest';
import { bindFlags, hookFlagsOf, type HookFlagName } from './hook-flags.ts';
import type { OperationKind } from './model.ts';
import { problemText } from './problem.ts';
import { checkScripts, leftOutNotes, scriptsOf } from './script-sources.ts';
import { factsOf, folder, script } from './testing/facts.ts';

const bind = (name: HookFlagName, value: string, operation: OperationKind = 'cluster.create') =>
  bindFlags([{ name, value }], { folder: '/people/me', operation });

test.for<[HookFlagName, string, object]>([
  ['cluster-prehook', '/d/pre', { point: 'pre', scope: { type: 'once', role: 'master' }, depth: 0 }],
  ['cluster-posthook', 'post.sh,worker', { point: 'post', scope: { type: 'once', role: 'worker' } }],
  ['prehook', '/d/n.sh,etcd', { point: 'pre', scope: { type: 'each', roles: ['etcd'] }, depth: 1 }],
  ['posthook', './n.sh,loadbalance', { point: 'post', scope: { type: 'each', roles: ['loadbalance'] } }],
])('--%s=%s', ([name, value, expected]) => {
  const { bindings, problems, notes } = bind(name, value);
  expect({ problems, notes }).toEqual({ problems: [], notes: [] });
  expect(bindings).toMatchObject([expected]);
  expect(bindings[0]?.policies['cluster.create']).toMatchObject({ timeout: 60_000, onFailure: 'abort' });
});

test.for<[string, RegExp]>([
  ['/d/n.sh,node', /^--prehook: unknown role "node"\. Valid values: master, worker, etcd, loadbalance$/],
  ['/d/n.sh,', /unknown role ""/],
  ['/d/n.sh,master,worker', /is not a path, or a path, a comma and a role/],
  [',master', /is not a path/],
])('--prehook=%s is refused', ([value, says]) => {
  expect(bind('prehook', value).problems.map(problemText).join()).toMatch(says);
});

test('a node hook without a role is a warning, not silence', () => {
  expect(bind('prehook', '/x.sh', 'node.join')).toMatchObject({
    bindings: [{ scope: { roles: ['master'] } }],
    notes: [{ type: 'warning', message: expect.stringContaining('names no role: master is used') }],
  });
});

test.for<[OperationKind, string]>([
  ['cluster.create', 'abort'],
  ['cluster.delete', 'ignore'],
  ['node.join', 'isolate-node'],
  ['node.delete', 'ignore'],
])('a failing flag hook during %s: %s', ([operation, onFailure]) => {
  const { bindings } = bind('prehook', '/x.sh,worker', operation);
  expect(bindings[0]?.policies[operation]?.onFailure).toBe(onFailure);
});

test('which verbs take which flags', () => {
  expect(hookFlagsOf('cluster.create')).toHaveLength(4);
  expect(hookFlagsOf('cluster.delete')).toHaveLength(4);
  expect(hookFlagsOf('node.join')).toEqual(['prehook', 'posthook']);
  expect(hookFlagsOf('node.delete')).toEqual(['prehook', 'posthook']);
  expect(hookFlagsOf('cluster.upgrade')).toEqual([]);
});

test('one flag given twice has two names', () => {
  const flags = ['/a.sh,master', '/b.sh,worker'].map((value) => ({ name: 'prehook' as const, value }));
  const { bindings } = bindFlags(flags, { folder: '/', operation: 'cluster.create' });
  expect(bindings.map(({ name }) => name)).toEqual(['prehook', 'prehook-2']);
});

const facts = factsOf({
  '/d': folder({
    'a.sh': script('echo a\n'),
    'b.sh': script('#!/bin/bash\n'),
    c: script('#!/usr/bin/python3\n'),
    'd.sh': script('echo\n', 0o644),
    'empty.sh': script(''),
    'readme.txt': script('words', 0o755),
    sub: folder({ 'c.sh': script() }),
  }),
  '/none': folder({ 'readme.txt': script('words') }),
  '/empty.sh': script(''),
  '/plain': script('echo', 0o644),
  '/dev/null': { type: 'refused', what: 'a device' },
});
const action = (...candidates: readonly string[]) => ({ type: 'source', candidates, argv: [] }) as const;

test('a folder: its scripts in the order of their names, executable or not, the rest with the reason', () => {
  const paths = scriptsOf(action('/d'), facts).map(({ path }) => path);
  expect(paths).toEqual(['/d/a.sh', '/d/b.sh', '/d/c', '/d/d.sh']);
  const notes = leftOutNotes(bind('prehook', '/d,master').bindings, facts).map(({ message }) => message);
  expect(notes).toEqual([
    '/d/empty.sh is not run: it is empty',
    '/d/readme.txt is not run: not a script: it has no interpreter line, and its name does not end in .sh or .bash',
    '/d/sub is not run: a folder inside the folder',
  ]);
});

test('a single file runs whatever its mode and name', () => {
  expect(scriptsOf(action('/plain'), facts)).toHaveLength(1);
});

test('the first candidate that exists is meant', () => {
  expect(scriptsOf(action('/missing', '/plain', '/d/a.sh'), facts).map(({ path }) => path)).toEqual([
    '/plain',
  ]);
});

test.for<[string, RegExp]>([
  ['/gone.sh', /^--prehook: the script \/gone\.sh does not exist$/],
  ['/dev/null', /\/dev\/null is a device/],
  ['/none', /the folder \/none has no script to run \(readme\.txt: not a script/],
  ['/empty.sh', /is empty/],
])('%s is refused', ([path, says]) => {
  const { bindings } = bind('prehook', `${path},master`);
  expect(checkScripts(bindings, facts).map(problemText).join()).toMatch(says);
});
