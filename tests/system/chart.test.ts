import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { objectAt, type JsonObject } from '#base/json.ts';
import { runBoathook } from '../support/boathook.ts';
import { freshCluster, objectsIn, runInstalled, systemNamespace } from '../support/installed.ts';
import { runProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';
import { renderTemplate } from '../support/render-chart.ts';

const chart = join(root, 'deploy/chart');
const read = (path: string): string => readFileSync(join(chart, path), 'utf8');
const defaults = parse(read('values.yaml')) as JsonObject;

/** The chart as `helm template --include-crds` prints it. */
function rendered(values: JsonObject, namespace = systemNamespace): string {
  const templates = globSync('templates/*.yaml', { cwd: chart }).sort();
  const crds = globSync('crds/*.yaml', { cwd: chart }).sort();
  return [
    ...crds.map(read),
    ...templates.map((path) => renderTemplate(read(path), { namespace, values: { ...defaults, ...values } })),
  ].join('\n---\n');
}

/** Helm creates the namespace itself. */
const withoutNamespace = (text: string): ReturnType<typeof objectsIn> =>
  new Map([...objectsIn(text)].filter(([key]) => !key.startsWith('Namespace ')));

async function printed(flags: readonly string[]): Promise<string> {
  const { code, out } = await runBoathook(['install', '--print', ...flags]);
  expect(code).toBe(0);
  return out;
}

const cases: readonly { name: string; values: JsonObject; flags: readonly string[] }[] = [
  { name: 'the default values', values: {}, flags: [] },
  {
    name: 'everything switched on',
    values: {
      image: 'registry.example.com/boathook:9',
      machines: true,
      registrations: true,
      impersonation: true,
      secrets: true,
      dashboard: true,
      serviceMonitor: true,
    },
    flags:
      '--image registry.example.com/boathook:9 --controllers all --dashboard --with impersonation,secrets,servicemonitor'.split(
        ' ',
      ),
  },
  { name: 'shards', values: { shards: 4 }, flags: ['--shards', '4'] },
  {
    name: 'one component',
    values: { registrations: true },
    flags: ['--controllers', 'hookrun,hooktemplate,gamedeployment,gamestatefulset,crdregistration'],
  },
];

test.for(cases)('the chart with $name is what boathook install prints', async ({ values, flags }) => {
  expect(withoutNamespace(rendered(values))).toEqual(withoutNamespace(await printed(flags)));
});

test('another namespace and another number of replicas', async () => {
  const objects = objectsIn(rendered({ replicas: 3 }, 'ops'));
  expect(objects.get('Deployment ops/boathook-controller')).toMatchObject({ spec: { replicas: 3 } });
  expect([...objects.keys()].filter((key) => key.includes(systemNamespace))).toEqual([]);
});

test('every value has a default and a type, and no other is accepted', () => {
  const schema = JSON.parse(read('values.schema.json')) as JsonObject;
  expect(schema['additionalProperties']).toBe(false);
  const { global: _, ...properties } = objectAt(schema, 'properties') ?? {};
  expect(Object.keys(properties).sort()).toEqual(Object.keys(defaults).sort());
  for (const [name, value] of Object.entries(defaults))
    expect(objectAt(properties, name)?.['type']).toBe(typeof value === 'number' ? 'integer' : typeof value);
});

test('the rendered chart is accepted by a server, and the controllers run with it', async () => {
  await using cluster = await freshCluster();
  await cluster.run(['create', 'namespace', systemNamespace]);
  const values = { machines: true, registrations: true, dashboard: true, shards: 2 };
  await cluster.run(['apply', '-f', '-'], rendered(values));
  await using controllers = await runInstalled(cluster);
  expect(await controllers.forbidden()).toBe(0);
});

test.for([
  ['{{ if .Values.on }}a{{ else }}b{{ end }}', /more than the chart may use/],
  ['{{ include "x" . }}', /more than the chart may use/],
  ['{{ .Values.gone }}', /no value gone/],
  ['{{ if .Values.on }}a', /without an end/],
  ['a{{ end }}', /without an if/],
] as const)('the renderer refuses %s', ([text, why]) => {
  expect(() => renderTemplate(text, { namespace: 'a', values: { on: true } })).toThrow(why);
});

test('the renderer leaves out what is switched off', () => {
  const text = 'a\n{{ if .Values.on }}\nb {{ .Values.b }} {{ .Release.Namespace }}\n{{ end }}\nc\n';
  expect(renderTemplate(text, { namespace: 'n', values: { on: true, b: 2 } })).toBe('a\n\nb 2 n\n\nc\n');
  expect(renderTemplate(text, { namespace: 'n', values: { on: false, b: 2 } })).toBe('a\n\nc\n');
});

const helm = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'helm'))
  .find((file) => existsSync(file));

test.skipIf(helm === undefined)('helm renders the same', async () => {
  const set = ['--namespace', systemNamespace, '--include-crds', '--set', 'machines=true,dashboard=true'];
  const { out, error, code } = await runProgram(helm ?? '', ['template', 'boathook', chart, ...set]);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(objectsIn(out)).toEqual(objectsIn(rendered({ machines: true, dashboard: true })));
});
