import type { Json, JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ControlName } from './control-names.ts';
import { controllersFlag } from './controller-objects.ts';
import { dashboardObjects, proxyInPod, proxyRoles } from './dashboard-objects.ts';
import type { InstallPlace } from './install-place.ts';
import { labelsOfPart } from './pod-parts.ts';
import { grantRoles, groupRoles } from './role-objects.ts';

/** Operations of a JSON patch on one Deployment. */
export type DeploymentPatch = { readonly deployment: string; readonly operations: readonly JsonObject[] };

/** An optional part of an installation: its own objects, and changes of others. */
export type InstallComponent = {
  readonly name: string;
  /** What it adds, in one sentence. */
  readonly purpose: string;
  readonly objects: (place: InstallPlace, names: ReadonlySet<ControlName>) => readonly KubeObject[];
  readonly patches: (place: InstallPlace, names: ReadonlySet<ControlName>) => readonly DeploymentPatch[];
};

const container = '/spec/template/spec/containers/0';
const appended = (path: string, value: Json): JsonObject => ({ op: 'add', path: `${path}/-`, value });
const onController = (
  { serviceAccount }: InstallPlace,
  operations: readonly JsonObject[],
): readonly DeploymentPatch[] => [{ deployment: serviceAccount, operations }];
const argsOf = (flags: readonly string[]): readonly JsonObject[] =>
  flags.map((flag) => appended(`${container}/args`, flag));
const unchanged = (): readonly DeploymentPatch[] => [];

/** In the order in which they are applied. */
export const components = [
  {
    name: 'machines',
    purpose: 'The controllers of Cluster and Machine.',
    objects: (place, names) => groupRoles('machines', names, place),
    patches: (place, names) =>
      onController(place, [
        ...argsOf([...controllersFlag('machines', names), '--files-root=/files']),
        appended(`${container}/volumeMounts`, { name: 'files', mountPath: '/files', readOnly: true }),
        appended('/spec/template/spec/volumes', {
          name: 'files',
          configMap: { name: 'boathook-files', optional: true },
        }),
      ]),
  },
  {
    name: 'registrations',
    purpose: 'The controller of CRDRegistration.',
    objects: (place, names) => groupRoles('registrations', names, place),
    patches: (place, names) => onController(place, argsOf(controllersFlag('registrations', names))),
  },
  {
    name: 'impersonation',
    purpose: 'Lets HookRuns use the providers kubernetes, job and machine, each as its own ServiceAccount.',
    objects: (place) => grantRoles('impersonation', place),
    patches: unchanged,
  },
  {
    name: 'secrets',
    purpose: 'Lets the controllers read Secrets in all namespaces.',
    objects: (place) => grantRoles('secrets', place),
    patches: unchanged,
  },
  {
    name: 'dashboard',
    purpose: 'The dashboard, to which users sign in with tokens of their own.',
    objects: (place) => dashboardObjects(place),
    patches: unchanged,
  },
  {
    name: 'dashboard-proxy',
    purpose: 'A proxy in the pod of the dashboard, which signs users in. Needs the component dashboard.',
    objects: (place) => proxyRoles(place),
    patches: () => [{ deployment: 'boathook-dashboard', operations: proxyInPod }],
  },
  {
    name: 'servicemonitor',
    purpose: 'A ServiceMonitor for the Prometheus Operator.',
    objects: ({ namespace }) => [
      {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'ServiceMonitor',
        metadata: { name: 'boathook', namespace, labels: labelsOfPart('controller') },
        spec: {
          selector: { matchLabels: labelsOfPart('controller') },
          endpoints: [{ port: 'metrics' }],
        },
      },
    ],
    patches: unchanged,
  },
] as const satisfies readonly InstallComponent[];

export type ComponentName = (typeof components)[number]['name'];
export const componentNames: readonly ComponentName[] = components.map(({ name }) => name);

/** What `deploy/overlays/all` contains: everything that controllers and providers can need, and the dashboard. */
export const allComponents: readonly ComponentName[] = [
  'machines',
  'registrations',
  'impersonation',
  'secrets',
  'dashboard',
];
