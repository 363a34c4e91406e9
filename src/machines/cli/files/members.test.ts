import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationKind } from '#machines/decide/model.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { membersAfter, nodesListed, readMembers, withNodes, writeMembers, type Members } from './members.ts';

const added = { ip: '192.0.2.7', name: 'w7', roles: ['worker'] };
const nodes = [
  { name: 'w7', address: '192.0.2.7' },
  { name: 'w3', address: '192.0.2.3' },
] as never;

test('what is written is read; nothing to remember is no file', () => {
  using folder = tempDir();
  const members: Members = { added: [{ ...added, port: 2222, arch: 'arm64' }], removed: ['w3'] };
  writeMembers(folder.path, members);
  expect(readMembers(folder.path)).toEqual(members);
  writeMembers(folder.path, { added: [], removed: [] });
  expect(existsSync(join(folder.path, 'members.json'))).toBe(false);
  expect(readMembers(folder.path)).toEqual({ added: [], removed: [] });
});

test('nodes are put into the lists of their roles, once', () => {
  const document = withNodes({ masters: [{ ip: '192.0.2.1' }], workers: [{ ip: '192.0.2.7' }] }, [
    added,
    { ip: '192.0.2.8', roles: ['master', 'worker'] },
  ]);
  expect(document).toEqual({
    masters: [{ ip: '192.0.2.1' }, { ip: '192.0.2.8' }],
    workers: [{ ip: '192.0.2.7' }, { ip: '192.0.2.8' }],
  });
  expect(nodesListed({ workers: [{ ip: '192.0.2.9', name: 'w9' }] })).toEqual([
    { ip: '192.0.2.9', name: 'w9', roles: ['worker'] },
  ]);
});

describe('after an operation', () => {
  const after = (
    operation: OperationKind,
    names: readonly string[],
    before: Members,
    isolated: string[] = [],
  ) =>
    membersAfter(
      before,
      {
        operation,
        nodes: names,
        added: operation === 'node.join' ? [added] : [],
        declaration: { cluster: { nodes } },
      },
      { state: 'PartlySucceeded', isolated: new Map(isolated.map((node) => [node, ''])), failures: [] },
    );
  const none: Members = { added: [], removed: [] };

  test('a node that joined by flags is remembered, one that could not is not', () => {
    expect(after('node.join', ['w7'], none)).toEqual({ added: [added], removed: [] });
    expect(after('node.join', ['w7'], none, ['w7'])).toEqual(none);
  });
  test('a node that comes back is no longer away', () => {
    expect(after('node.join', ['w3'], { added: [], removed: ['w3'] }).removed).toEqual([]);
  });
  test('a node that leaves is forgotten, or marked as away when the file lists it', () => {
    const both = after('node.delete', ['w7', 'w3'], { added: [added], removed: [] });
    expect(both).toEqual({ added: [], removed: ['w3'] });
  });
  test('a whole cluster starts again', () => {
    expect(after('cluster.delete', [], { added: [added], removed: ['w3'] })).toEqual(none);
  });
  test('a failure changes nothing', () => {
    const before: Members = { added: [added], removed: [] };
    const change = {
      operation: 'cluster.delete' as const,
      nodes: [],
      added: [],
      declaration: { cluster: { nodes } },
    };
    expect(membersAfter(before, change, { state: 'Failed', isolated: new Map(), failures: [] })).toBe(before);
  });
});
