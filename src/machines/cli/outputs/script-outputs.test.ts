import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { keptOutputs } from './output-list.ts';
import { ScriptOutputs } from './script-outputs.ts';

const cluster = 'prod';
const any = { operations: [], node: undefined, step: undefined, attempt: undefined };

function writeOutput(store: ScriptOutputs, operation: string, more: object = {}): string {
  const place = { cluster, operation, node: '192.0.2.1', step: 'hooks/pre install', attempt: 1, ...more };
  const path = store.begin(place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, operation);
  return path;
}

test('outputs are found by their names, in the order in which the scripts began, also after a restart', () => {
  using folder = tempDir();
  const store = new ScriptOutputs(folder.path);
  writeOutput(store, '2026-cluster-create-a');
  writeOutput(store, '2026-cluster-create-a', { node: '@local', step: '../../etc', attempt: 2 });
  store.end({ cluster, operation: '2026-cluster-create-a', node: '@local', step: '../../etc', attempt: 2 });
  const listed = [
    { node: '192.0.2.1', step: 'hooks/pre install', attempt: 1, isRunning: true },
    { node: '@local', step: '../../etc', attempt: 2, isRunning: false },
  ].map((each) => ({ operation: '2026-cluster-create-a', ...each }));
  expect(keptOutputs(store, cluster, any)).toEqual(listed);
  store.endAll({ cluster, operation: '2026-cluster-create-a' });
  const restarted = new ScriptOutputs(folder.path);
  const ended = listed.map((each) => ({ ...each, isRunning: false }));
  expect(keptOutputs(restarted, cluster, any)).toEqual(ended);
  writeOutput(restarted, '2026-cluster-create-a');
  expect(keptOutputs(restarted, cluster, any)).toEqual(listed);
  expect(keptOutputs(restarted, cluster, { ...any, node: '@local' })).toEqual(ended.slice(1));
});

test('no name of a request leads out of the folder', () => {
  using folder = tempDir();
  const store = new ScriptOutputs(join(folder.path, 'data'));
  writeOutput(store, 'op');
  mkdirSync(join(folder.path, 'evil'), { recursive: true });
  writeFileSync(join(folder.path, 'evil', 'outputs.jsonl'), '{"node":"a","step":"b","attempt":1}\n');
  for (const operation of ['../../../../evil', '..', '', '.'])
    expect(keptOutputs(store, cluster, { ...any, operations: [operation] })).toEqual([]);
  expect(keptOutputs(store, '../../evil', any)).toEqual([]);
  for (const node of ['..', '../../x', '.'])
    expect(store.pathOf({ cluster, operation: 'op', node, step: '..', attempt: 1 })).toContain(
      join('operations', 'op', 'logs'),
    );
});

test('the newest operation of the Cluster counts, then those of Machines, and scripts of HookRuns only by name', () => {
  using folder = tempDir();
  const store = new ScriptOutputs(folder.path);
  for (const id of ['1-cluster-create-a', '2-machine-create-b', 'hookrun-c']) writeOutput(store, id);
  const first = (wanted: object): string | undefined =>
    keptOutputs(store, cluster, { ...any, ...wanted })[0]?.operation;
  expect(first({})).toBe('1-cluster-create-a');
  expect(first({ node: '192.0.2.1' })).toBe('2-machine-create-b');
  expect(first({ operations: ['hookrun-c'] })).toBe('hookrun-c');
});

test('outputs of the oldest operations are removed; journals of commands and what is in use stay', () => {
  using folder = tempDir();
  const store = new ScriptOutputs(folder.path, 2);
  const paths = ['1', '2', '3', '4', '5'].map((id) => {
    const path = writeOutput(store, id);
    if (id === '1') writeFileSync(join(dirname(dirname(dirname(path))), 'journal.jsonl'), '');
    if (id !== '2') store.endAll({ cluster, operation: id });
    return path;
  });
  expect(paths.map((path) => existsSync(path))).toEqual([true, true, false, true, true]);
});

test('a line that a crash has cut is left out', () => {
  using folder = tempDir();
  const store = new ScriptOutputs(folder.path);
  const path = writeOutput(store, 'op');
  appendFileSync(join(dirname(dirname(dirname(path))), 'outputs.jsonl'), '{"node":"192.0.2');
  expect(keptOutputs(store, cluster, any)).toHaveLength(1);
});
