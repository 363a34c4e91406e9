import type { TSchema } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { listByKey, mapOf } from '#schema/kind/field.ts';
import { conditionList } from '#schema/kind/condition.ts';
import { defineKind, type ObjectOf } from '#schema/kind/kind.ts';
import { Hook } from './hook.ts';
import { ParameterConfiguration } from './parameters.ts';

const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
const port = (description: string) =>
  Type.Integer({ description, format: 'int32', minimum: 1, maximum: 65_535 });
const scale = (description: string) => optional(Type.Integer({ description, format: 'int32', minimum: 0 }));

const FormFactor = Type.Object(
  {
    deployment: optional(
      Type.Object(
        {
          replicas: optional(
            Type.Integer({ description: 'How many pods; 1 unless given.', format: 'int32', minimum: 0 }),
          ),
          service: optional(
            Type.Object(
              { port: port('The port of the Service.'), targetPort: port('The port of the container.') },
              { description: 'A Service before the pods; none unless given.' },
            ),
          ),
        },
        { description: 'A Deployment.' },
      ),
    ),
    knativeService: optional(
      Type.Object(
        {
          minScale: scale('Pods at least.'),
          maxScale: scale('Pods at most; 0 for any number.'),
          visibility: optional(
            Type.String({
              description:
                'The label networking.knative.dev/visibility: cluster-local hides it from outside.',
              pattern: '^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$',
              maxLength: 63,
            }),
          ),
        },
        {
          description: 'A Service of Knative.',
          'x-kubernetes-validations': [
            {
              rule: '!has(self.minScale) || !has(self.maxScale) || self.maxScale == 0 || self.maxScale >= self.minScale',
              message: 'maxScale must be 0 or at least minScale',
            },
          ],
        },
      ),
    ),
  },
  {
    description: 'What runs; one pod of a Deployment unless given.',
    'x-kubernetes-validations': [
      {
        rule: '!(has(self.deployment) && has(self.knativeService))',
        message: 'give deployment or knativeService, not both',
      },
    ],
  },
);

const statusPath = String.raw`^[$.]*status\..+$`;
const wellKnown = String.raw`^[$.]*status\.(conditions|observedGeneration|annotations|address)(\..*)?$`;
const StatusPath = Type.String({
  description: 'Where it goes: status.sinkUri.',
  pattern: statusPath,
  maxLength: 256,
  'x-kubernetes-validations': [
    {
      rule: `!self.matches('${wellKnown.replaceAll('\\', '\\\\')}')`,
      message: 'conditions, observedGeneration, annotations and address are not for others to write',
    },
  ],
});
const ValuePath = Type.Object(
  {
    path: Type.String({
      description: 'Whose variable: an element (spec.sink), or $added.NAME for an added one.',
      minLength: 1,
      maxLength: 512,
    }),
  },
  { description: 'The value of a variable.' },
);

/** Conditions that are ours to write. */
export const ownConditions = [
  'Ready',
  'Reconciled',
  'DeploymentReady',
  'ServiceReady',
  'KnativeServiceReady',
] as const;

/** As the API machinery has it: a name, perhaps with a domain before it. */
const conditionType = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`;

const StatusConfiguration = Type.Object(
  {
    add: optional(
      Type.Array(Type.Object({ path: StatusPath, valueFrom: ValuePath }), {
        description: 'Values of variables that the status shows.',
        maxItems: 100,
      }),
    ),
    addElements: optional(
      Type.Array(
        Type.Object({
          path: StatusPath,
          render: Type.Object({ valueFromParameter: ValuePath }, { description: 'What goes there.' }),
        }),
        { description: 'Older spelling of add.', maxItems: 100 },
      ),
    ),
    conditionsFromHook: optional(
      listByKey(
        Type.Object({
          type: Type.String({
            description: 'The type of a condition that the hook reports; it counts for Ready.',
            pattern: conditionType,
            maxLength: 316,
            'x-kubernetes-validations': [
              {
                rule: `!(self in [${ownConditions.map((each) => `'${each}'`).join(', ')}])`,
                message: `${ownConditions.join(', ')} are not for hooks to write`,
              },
            ],
          }),
        }),
        ['type'],
        { description: 'Conditions that the hook reports.', maxItems: 32 },
      ),
    ),
  },
  { description: 'What the status of an instance shows.' },
);

const GateSchema = Type.Object(
  {
    templateName: Type.String({
      description: 'A HookTemplate in the namespace of the instance.',
      minLength: 1,
      maxLength: 253,
    }),
    args: optional(
      listByKey(
        Type.Object({
          name: Type.String({ description: 'An argument of the template.', minLength: 1, maxLength: 253 }),
          value: Type.String({ description: 'Its value.', maxLength: 8192 }),
        }),
        ['name'],
        {
          description: 'What the template is told, beside the name and namespace of the instance.',
          maxItems: 100,
        },
      ),
    ),
  },
  { description: 'A HookTemplate; children are applied only while its last verdict is Successful.' },
);

export const crdRegistration = defineKind({
  group: 'scoby.triggermesh.io',
  version: 'v1alpha1',
  kind: 'CRDRegistration',
  plural: 'crdregistrations',
  shortNames: ['crdreg'],
  categories: ['boathook'],
  scope: 'Cluster',
  description: 'How the instances of a CRD become running workloads, and which service is asked about each.',
  schema: Type.Object({
    spec: Type.Object(
      {
        crd: Type.String({
          description: 'The name of a CustomResourceDefinition: kuards.extensions.triggermesh.io.',
          pattern: String.raw`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$`,
          maxLength: 253,
          'x-kubernetes-validations': [
            { rule: 'self == oldSelf', message: 'crd cannot be changed: make another registration' },
          ],
        }),
        workload: Type.Object(
          {
            formFactor: optional(FormFactor),
            fromImage: Type.Object(
              {
                repo: Type.String({
                  description: 'The image, with its tag or digest.',
                  minLength: 1,
                  maxLength: 4096,
                }),
              },
              { description: 'What the container is made of.' },
            ),
            parameterConfiguration: optional(ParameterConfiguration),
            statusConfiguration: optional(StatusConfiguration),
          },
          { description: 'What an instance becomes.' },
        ),
        hook: optional(Hook),
        gate: optional(GateSchema),
        referenceNamespaces: optional(
          Type.Array(
            Type.String({
              description:
                'The name of a namespace, or * for all of them and for objects outside of namespaces.',
              pattern: String.raw`^(\*|[a-z0-9]([-a-z0-9]*[a-z0-9])?)$`,
              maxLength: 63,
            }),
            {
              description:
                'Namespaces that instances may refer to with resolveAddress, beside their own. None unless given.',
              'x-kubernetes-list-type': 'set',
              maxItems: 100,
            },
          ),
        ),
        concurrency: optional(
          Type.Integer({
            description: 'How many instances are reconciled at a time. 5 unless given.',
            format: 'int32',
            minimum: 1,
            maximum: 100,
          }),
        ),
      },
      {
        description: 'What is wanted.',
        'x-kubernetes-validations': [
          {
            rule: 'has(self.hook) || !has(self.workload.statusConfiguration) || !has(self.workload.statusConfiguration.conditionsFromHook) || size(self.workload.statusConfiguration.conditionsFromHook) == 0',
            message: 'conditionsFromHook needs a hook',
          },
          {
            rule: 'has(self.hook) || !has(self.workload.parameterConfiguration) || !has(self.workload.parameterConfiguration.addEnvsFromHook) || size(self.workload.parameterConfiguration.addEnvsFromHook) == 0',
            message: 'addEnvsFromHook needs a hook',
          },
        ],
      },
    ),
    status: optional(
      Type.Object(
        {
          observedGeneration: optional(
            Type.Integer({ description: 'The generation that this is about.', format: 'int64' }),
          ),
          annotations: optional(mapOf(Type.String(), { description: 'hookURL: where the hook was found.' })),
          conditions: conditionList(
            'CRDExists, ControllerReady (whether its instances are looked after, and why not), Ready, and HookHealthy (whether the hook can be reached; it does not count for Ready).',
          ),
        },
        { description: 'What there is.' },
      ),
    ),
  }),
  columns: [
    { name: 'CRD', type: 'string', jsonPath: '.spec.crd', description: 'What is registered' },
    {
      name: 'Ready',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='Ready')].status",
      description: 'Whether its instances are looked after',
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    {
      name: 'Hook',
      type: 'string',
      jsonPath: '.status.annotations.hookURL',
      description: 'Where the hook was found',
      wide: true,
    },
    {
      name: 'Reason',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='ControllerReady')].reason",
      description: 'Why',
      wide: true,
    },
  ],
  hasStatus: true,
});

export type CrdRegistration = ObjectOf<typeof crdRegistration>;
