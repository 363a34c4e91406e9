import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { openCommandLines } from '../support/command-lines.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

/** Those that are refused. */
const lines = openCommandLines();
afterAll(() => lines[Symbol.dispose]());

const lint = (args: readonly string[], stdin?: string): Promise<Ended> =>
  runProgram(join(root, 'boathook'), ['release', 'lint', ...args], {
    cwd: folder.path,
    ...(stdin === undefined ? {} : { stdin }),
  });

function written(name: string, text: string): string {
  writeFileSync(join(folder.path, name), text);
  return name;
}

/** Line 13 is `paused`, line 17 the first partition. */
const workload = (name: string, more = ''): string => `apiVersion: tkex.tencent.com/v1alpha1
kind: GameDeployment
metadata: { name: ${name} }
spec:
  replicas: 4
  selector: { matchLabels: { app: x } }
  template:
    metadata: { labels: { app: x } }
    spec:
      containers: [{ name: c, image: a:1 }]
  updateStrategy:
    type: InplaceUpdate
    paused: false
    canary:
      steps:
        # The first pod.
        - partition: 3
        - pause: { duration: 60 }
        - partition: 3
        - pause: {}
${more}`;

test('the examples have no mistakes', async () => {
  const examples = ['canary', 'canary-stateful'].flatMap((name) => ['-f', join(root, 'examples', name)]);
  const { code, out } = await lint(examples);
  expect(out).toContain('2 workloads: 0 errors, 0 warnings\n');
  expect(code).toBe(0);
});

test('file, line, field and remedy; warnings are no errors', async () => {
  const { code, out } = await lint(['-f', written('shop.yaml', workload('shop'))]);
  expect(out.split('\n')).toEqual([
    'shop.yaml:13: GameDeployment shop: warning: spec.updateStrategy.paused: is false: each apply of this manifest resumes a paused step and goes past a failed hook, also when Git applies it (leave the field out, and set resumePolicy: Approval)',
    'shop.yaml:19: GameDeployment shop: warning: spec.updateStrategy.canary.steps[2].partition: 3 leaves as many pods as the partition of step 1 (3): the step updates no pod (use a smaller partition, or remove the step)',
    'GameDeployment shop: its steps take at least 1m',
    '1 workload: 0 errors, 2 warnings',
    '',
  ]);
  expect(code).toBe(0);
});

test('errors end with 1, also in the second document of a List', async () => {
  const list = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: { name: c }
- apiVersion: tkex.tencent.com/v1alpha1
  kind: GameDeployment
  metadata: { name: db }
  spec:
    replica: 3
    selector: { matchLabels: { app: x } }
    template: { metadata: { labels: { app: x } } }
`;
  const { code, out } = await lint(['-f', '-'], list);
  expect(out).toContain(
    'the input:11: GameDeployment db: error: spec.replica: is not a known field (did you mean replicas?)\n',
  );
  expect(code).toBe(1);
});

test('a folder, and templates of another file', async () => {
  mkdirSync(join(folder.path, 'all'));
  const hook = '        - hook: { templateName: ag }\n';
  writeFileSync(join(folder.path, 'all/a.yaml'), workload('shop', hook));
  writeFileSync(join(folder.path, 'all/notes.txt'), '{ not: [yaml');
  const alone = await lint(['-f', 'all']);
  expect(alone.out).toContain('HookTemplate ag is not in the files: args and verdicts are not checked');
  expect(alone.code).toBe(0);
  const both = await lint(['-f', 'all', '-f', join(root, 'examples/hooks/age.yaml')]);
  expect(both.out).toMatch(/a\.yaml:21: .*there is no HookTemplate ag in the files/);
  expect(both.code).toBe(1);
});

test('-o json', async () => {
  const { code, out } = await lint(['-f', written('json.yaml', workload('shop')), '-o', 'json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    errors: 0,
    warnings: 2,
    workloads: [
      {
        kind: 'GameDeployment',
        name: 'shop',
        file: 'json.yaml',
        stepsTakeSeconds: 60,
        findings: [
          { severity: 'warning', rule: 'paused-false', line: 13, path: 'spec.updateStrategy.paused' },
          { severity: 'warning', rule: 'partition-same', line: 19 },
        ],
      },
    ],
  });
});

test.for<[string, readonly string[], RegExp]>([
  ['no file', ['-f', 'nowhere.yaml'], /nowhere\.yaml cannot be read/],
  ['a folder without files', ['-f', 'empty'], /empty has no file that ends with \.yaml/],
  ['no workload', ['-f', 'map.yaml'], /map\.yaml: no GameDeployment or GameStatefulSet found, but ConfigMap/],
  ['not YAML', ['-f', 'broken.yaml'], /broken\.yaml: yaml: line 2/],
  ['a key twice', ['-f', 'twice.yaml'], /twice\.yaml: line 2: key "kind" already set/],
  ['another format', ['-f', 'map.yaml', '-o', 'wide'], /-o wide is not known/],
  ['no -f', [], /required option/],
])('%s ends with 2', async ([, args, says]) => {
  mkdirSync(join(folder.path, 'empty'), { recursive: true });
  written('map.yaml', 'apiVersion: v1\nkind: ConfigMap\n');
  written('broken.yaml', 'a: [1\nb: {');
  written('twice.yaml', 'kind: A\nkind: B\n');
  const { code, out, error } = await lines.run(['release', 'lint', ...args], folder.path);
  expect(error).toMatch(says);
  expect(out).toBe('');
  expect(code).toBe(2);
});

test('an escape sequence in a name does not reach the terminal', async () => {
  const { out } = await lint(['-f', written('evil.yaml', workload(JSON.stringify('\u001b[31mshop')))]);
  expect(out).not.toContain('\u001b');
  expect(readFileSync(join(folder.path, 'evil.yaml'), 'utf8')).toContain('\\u001b');
});
