import type { Json, JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { applyJsonPatch } from '#kube/patch/json.ts';
import { components, type ComponentName } from './components.ts';
import { controlNames } from './control-names.ts';
import { baseObjects } from './install-objects.ts';
import type { InstallPlace } from './install-place.ts';
import { yamlOf, type ManifestFile } from './kustomize-files.ts';

/** The components that the chart offers, and the value that switches each on. */
const switches: Readonly<Partial<Record<ComponentName, string>>> = {
  machines: 'machines',
  registrations: 'registrations',
  impersonation: 'impersonation',
  secrets: 'secrets',
  dashboard: 'dashboard',
  servicemonitor: 'serviceMonitor',
};
const offered = components.flatMap((component) => {
  const value = switches[component.name];
  return value === undefined ? [] : [{ ...component, value }];
});

const every = new Set(controlNames);
/** Stands for the value `replicas`, which must not be quoted. */
const replicas = 987_654;
/** Stands for the value `shards`. */
const shards = 987_655;

/** A Helm chart with the same objects: substitution and `if` only. The namespace is Helm's to create. */
export function chartFiles(
  usual: InstallPlace,
  version: string,
  crds: readonly ManifestFile[],
): readonly ManifestFile[] {
  const place: InstallPlace = {
    ...usual,
    namespace: '{{ .Release.Namespace }}',
    image: '{{ .Values.image }}',
    replicas,
    shards,
  };
  const base = baseObjects({ place, names: every }).filter(({ kind }) => kind !== 'Namespace');
  return [
    { path: 'Chart.yaml', text: printYaml(chart(version)) },
    { path: 'values.yaml', text: valuesText(usual) },
    { path: 'values.schema.json', text: `${printJson(valuesSchema, 2)}\n` },
    ...crds.map(({ path, text }) => ({ path: `crds/${path}`, text })),
    { path: 'templates/boathook.yaml', text: withSwitches(base, place) },
    ...offered.map(({ name, value, objects }) => ({
      path: `templates/${name}.yaml`,
      text: when(value, yamlOf(objects(place, every))),
    })),
  ];
}

const chart = (version: string): JsonObject => ({
  apiVersion: 'v2',
  name: 'boathook',
  description: 'Lifecycle hooks for Kubernetes',
  type: 'application',
  kubeVersion: '>=1.25.0-0',
  version,
  appVersion: version,
});

const when = (value: string, text: string): string => `{{ if .Values.${value} }}\n${text}{{ end }}\n`;

/** The base, with what components add to the Deployment behind their switches. */
function withSwitches(base: readonly KubeObject[], place: InstallPlace): string {
  const additions = offered.flatMap(({ value, patches }) =>
    patches(place, every).flatMap(({ operations }) => operations.map((operation) => ({ value, operation }))),
  );
  const marked = additions.map(({ operation }, at) => ({ ...operation, value: `ADDITION-${at}` }));
  const text = yamlOf(
    base.map((object) =>
      object['kind'] === 'Deployment' && nameOf(object) === place.serviceAccount
        ? (applyJsonPatch(object, marked) as JsonObject)
        : object,
    ),
  );
  return text
    .replaceAll(/^( *)- ADDITION-(\d+)\n/gm, (_, indent: string, at: string) => {
      const { value, operation } = additions[Number(at)] ?? { value: '', operation: {} };
      return when(value, listItem(operation['value'] ?? null, indent));
    })
    .replace(new RegExp(String.raw`^ *- --shards=${shards}\n`, 'm'), (line) =>
      when('shards', line.replace(String(shards), '{{ .Values.shards }}')),
    )
    .replace(`replicas: ${replicas}\n`, 'replicas: {{ .Values.replicas }}\n');
}

const listItem = (item: Json, indent: string): string => printYaml([item]).replaceAll(/^(?=.)/gm, indent);

const valuesText = ({ image, replicas: count }: InstallPlace): string =>
  [
    '# The image of Boathook, with its tag.',
    `image: ${image}`,
    '# Processes of the controllers; one of them is the leader.',
    `replicas: ${count}`,
    '# Shards that the processes share, for those who outgrow one leader; 0: the leader does everything.',
    'shards: 0',
    ...offered.flatMap(({ value, purpose }) => [`# ${purpose}`, `${value}: false`]),
    '',
  ].join('\n');

const valuesSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  properties: {
    image: { type: 'string', minLength: 1, description: 'The image of Boathook, with its tag.' },
    replicas: { type: 'integer', minimum: 1, description: 'Processes of the controllers.' },
    shards: {
      type: 'integer',
      minimum: 0,
      maximum: 64,
      description: 'Shards that the processes share; 0: the leader does everything.',
    },
    ...Object.fromEntries(
      offered.map(({ value, purpose }) => [value, { type: 'boolean', description: purpose }]),
    ),
    // Helm gives every chart the values of its parents.
    global: { type: 'object' },
  },
};
