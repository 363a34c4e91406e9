import { Type } from '#schema/kind/type.ts';
import { durationPattern } from '#base/duration.ts';
import {
  mapOf,
  optionalBoolean,
  optionalEnum,
  optionalInteger,
  optionalList,
  optionalString,
  stringEnum,
} from '#schema/kind/field.ts';
import { defineKind, type ObjectOf } from '#schema/kind/kind.ts';
import { Features } from './features.ts';
import { keptOfCluster } from './kept.ts';
import { hostKey, loginRules, machineFields } from './machine-fields.ts';
import { statusFields } from './operation-status.ts';

export const platformGroup = 'platform.tkestack.io';

const text = (description: string, maxLength = 253) => Type.Optional(Type.String({ description, maxLength }));

const cidr = (description: string) =>
  Type.Optional(Type.String({ description, format: 'cidr', maxLength: 64 }));

/** Of a Cluster and of a Machine alike. */
export const fixedType = (description: string) =>
  Type.Unsafe<'Baremetal' | 'Edge'>({
    ...stringEnum(['Baremetal', 'Edge'], { description }),
    'x-kubernetes-validations': [
      { rule: 'self == oldSelf', message: 'the type cannot change: delete the object and create another' },
    ],
  });

const MasterStatus = Type.Object({
  ip: Type.String({ description: 'IP address of the master.' }),
  status: Type.String({
    description: 'Running: the master has joined. A master that joins or leaves is in operation.nodes.',
  }),
});

export const cluster = defineKind({
  group: platformGroup,
  version: 'v1',
  kind: 'Cluster',
  plural: 'clusters',
  shortNames: ['cls'],
  categories: ['boathook'],
  scope: 'Cluster',
  description:
    'A Kubernetes cluster that is created, upgraded and removed on machines over SSH, with hooks before and after each operation.',
  schema: Type.Object({
    spec: Type.Object(
      {
        type: fixedType('Type of the machines.'),
        version: optionalString('Version of Kubernetes, such as 1.30.1. A change upgrades the cluster.', {
          maxLength: 64,
          pattern: '^(v?[0-9]+(\\.[0-9]+)*([-+][0-9A-Za-z.+-]+)?)?$',
        }),
        tenantID: text('Tenant in TKEStack. Boathook ignores it.'),
        displayName: text('Display name in TKEStack. Boathook ignores it.'),
        clusterCIDR: cidr('IP range of pods. Default: 10.244.0.0/16.'),
        serviceCIDR: cidr('IP range of Services.'),
        dnsDomain: text('DNS domain of Services.'),
        publicAlternativeNames: optionalList(
          Type.String({ maxLength: 253 }),
          'Additional names in the certificate of the API server.',
          { maxItems: 100 },
        ),
        machines: Type.Array(Type.Object(machineFields, { 'x-kubernetes-validations': loginRules }), {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['ip'],
          description:
            'Control plane machines. Cluster hooks run on the first one, which cannot be replaced.',
          minItems: 1,
          maxItems: 100,
          'x-kubernetes-validations': [
            {
              rule: 'self[0].ip == oldSelf[0].ip',
              message: 'the first machine cannot be replaced: cluster hooks run on it',
            },
          ],
        }),
        features: Type.Optional(Features),
        installer: optionalEnum(
          ['kubeadm', 'commands', 'none'],
          'What runs between the hooks: kubeadm, scripts of the user (commands), or nothing (none). Default: kubeadm.',
        ),
        commandsDir: text(
          "Where installer commands has its scripts: below the controller's --files-root.",
          4096,
        ),
        hookTimeout: optionalString('Time limit of a script, such as 10m. Default: no limit.', {
          maxLength: 40,
          pattern: durationPattern,
          'x-kubernetes-validations': [
            { rule: "self.matches('[1-9]')", message: 'must be longer than 0s, such as 10m' },
          ],
        }),
        parallel: optionalInteger(
          'Maximum number of machines that are worked on at the same time. Default: 20.',
          { minimum: 1, maximum: 500 },
        ),
        insecureIgnoreHostKey: optionalBoolean(
          'Accept any SSH host key. Without verification a machine can be impersonated.',
        ),
        adopt: optionalBoolean(
          'Take over machines with a control plane of another cluster. Default: such machines are refused.',
        ),
        hostKeys: Type.Optional(
          mapOf(hostKey('Fingerprint as ssh-keygen -l prints it.'), {
            description:
              'Expected SSH host keys by address. Other keys are recorded in the status at the first connection.',
          }),
        ),
        paused: optionalBoolean(
          'Pause operations of the Cluster and its Machines; deletions continue. A HookRun that fails between two batches sets it. Set it to false to resume.',
        ),
        retriedAt: optionalString('Time of the last manual retry. Any change starts another try at once.', {
          format: 'date-time',
        }),
        forceDelete: optionalBoolean('Delete the cluster even if hooks fail or machines cannot be reached.'),
        ...keptOfCluster,
      },
      { description: 'Desired state.' },
    ),
    status: Type.Optional(
      Type.Object(
        {
          ...statusFields,
          machines: optionalList(MasterStatus, 'Control plane machines that have joined.', { maxItems: 200 }),
        },
        { description: 'Observed state.' },
      ),
    ),
  }),
  columns: [
    { name: 'Type', type: 'string', jsonPath: '.spec.type' },
    { name: 'Version', type: 'string', jsonPath: '.spec.version' },
    { name: 'Status', type: 'string', jsonPath: '.status.phase' },
    { name: 'Reason', type: 'string', jsonPath: '.status.reason' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Message', type: 'string', jsonPath: '.status.message', wide: true },
  ],
  hasStatus: true,
});

export type Cluster = ObjectOf<typeof cluster>;
