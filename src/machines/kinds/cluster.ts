import { Type } from '#schema/kind/type.ts';
import { durationPattern } from '#base/duration.ts';
import { mapOf, stringEnum } from '#schema/kind/field.ts';
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
      { rule: 'self == oldSelf', message: 'the type cannot change: delete the object and make another' },
    ],
  });

const MasterStatus = Type.Object({
  ip: Type.String({ description: 'Its address.' }),
  status: Type.String({
    description: 'Running: it has joined. One that joins or leaves stands in operation.nodes.',
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
    'A cluster on machines of its own: made, upgraded and removed over SSH, with hooks at every point of its life.',
  schema: Type.Object({
    spec: Type.Object(
      {
        type: fixedType('What kind of machines it has.'),
        version: Type.Optional(
          Type.String({
            description: 'The version of Kubernetes, such as 1.30.1. A new one upgrades the cluster.',
            maxLength: 64,
            pattern: '^(v?[0-9]+(\\.[0-9]+)*([-+][0-9A-Za-z.+-]+)?)?$',
          }),
        ),
        tenantID: text('Of TKEStack, whose it is; without effect here.'),
        displayName: text('Of TKEStack, what people call it; without effect here.'),
        clusterCIDR: cidr('The addresses of pods; 10.244.0.0/16 unless given.'),
        serviceCIDR: cidr('The addresses of services.'),
        dnsDomain: text('The domain of services.'),
        publicAlternativeNames: Type.Optional(
          Type.Array(Type.String({ maxLength: 253 }), {
            description: 'Further names of its API server.',
            maxItems: 100,
          }),
        ),
        machines: Type.Array(Type.Object(machineFields, { 'x-kubernetes-validations': loginRules }), {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['ip'],
          description: 'The masters. The first one stays the first: cluster hooks run on it.',
          minItems: 1,
          maxItems: 100,
          'x-kubernetes-validations': [
            {
              rule: 'self[0].ip == oldSelf[0].ip',
              message: 'the first machine cannot be replaced: it holds the cluster',
            },
          ],
        }),
        features: Type.Optional(Features),
        installer: Type.Optional(
          stringEnum(['kubeadm', 'commands', 'none'], {
            description:
              'What lies between the hooks: kubeadm, your own scripts (commands), or nothing. kubeadm unless given.',
          }),
        ),
        commandsDir: text(
          "Where installer commands has its scripts: below the controller's --files-root.",
          4096,
        ),
        hookTimeout: Type.Optional(
          Type.String({
            description: 'How long one script may take, such as 10m; without a limit unless given.',
            maxLength: 40,
            pattern: durationPattern,
            'x-kubernetes-validations': [
              { rule: "self.matches('[1-9]')", message: 'must be longer than nothing, such as 10m' },
            ],
          }),
        ),
        parallel: Type.Optional(
          Type.Integer({ description: 'Machines at a time; 20 unless given.', minimum: 1, maximum: 500 }),
        ),
        insecureIgnoreHostKey: Type.Optional(
          Type.Boolean({
            description: 'Trust whoever answers at an address: no protection against impostors.',
          }),
        ),
        adopt: Type.Optional(
          Type.Boolean({
            description:
              'Take over a control plane that its machines carry under the name of another cluster. Without it such machines are refused.',
          }),
        ),
        hostKeys: Type.Optional(
          mapOf(hostKey('A fingerprint, as ssh-keygen -l prints it.'), {
            description:
              'The keys of machines by address. What is not given is recorded when it is first seen.',
          }),
        ),
        paused: Type.Optional(
          Type.Boolean({
            description:
              'Nothing new is begun, but for the deletion of the cluster. Set by a bad verdict between two batches.',
          }),
        ),
        retriedAt: Type.Optional(
          Type.String({
            description: 'When a person last asked for another try at once; any change counts as one.',
            format: 'date-time',
          }),
        ),
        forceDelete: Type.Optional(
          Type.Boolean({
            description: 'Deletion goes on past failing hooks and without machines that cannot be reached.',
          }),
        ),
        ...keptOfCluster,
      },
      { description: 'What it shall be.' },
    ),
    status: Type.Optional(
      Type.Object(
        {
          ...statusFields,
          machines: Type.Optional(
            Type.Array(MasterStatus, { description: 'The masters it has.', maxItems: 200 }),
          ),
        },
        { description: 'What it is.' },
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
