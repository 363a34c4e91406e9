import { Type } from '#schema/kind/type.ts';
import {
  listByKey,
  mapOf,
  optional,
  optionalInteger,
  optionalList,
  optionalString,
} from '#schema/kind/field.ts';
import { conditionList } from '#schema/kind/condition.ts';
import { defineKind, type ObjectOf } from '#schema/kind/kind.ts';
import { Hook } from './hook.ts';
import { ParameterConfiguration } from './parameters.ts';

const port = (description: string) =>
  Type.Integer({ description, format: 'int32', minimum: 1, maximum: 65_535 });
const scale = (description: string) => optional(Type.Integer({ description, format: 'int32', minimum: 0 }));

const FormFactor = Type.Object(
  {
    deployment: optional(
      Type.Object(
        {
          replicas: optionalInteger('Number of pods. Defaults to 1.', { format: 'int32', minimum: 0 }),
          service: optional(
            Type.Object(
              { port: port('Port of the Service.'), targetPort: port('Port of the container.') },
              { description: 'Service for the pods. Defaults to none.' },
            ),
          ),
        },
        { description: 'A Deployment.' },
      ),
    ),
    knativeService: optional(
      Type.Object(
        {
          minScale: scale('Minimum number of pods.'),
          maxScale: scale('Maximum number of pods; 0 is unlimited.'),
          visibility: optionalString(
            'Value of the label networking.knative.dev/visibility; cluster-local makes the Service private to the cluster.',
            { pattern: '^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$', maxLength: 63 },
          ),
        },
        {
          description: 'A Knative Service.',
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
    description: 'Kind of workload. Defaults to a Deployment with one pod.',
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
  description: 'Field of the status to write, such as status.sinkUri.',
  pattern: statusPath,
  maxLength: 256,
  'x-kubernetes-validations': [
    {
      rule: `!self.matches('${wellKnown.replaceAll('\\', '\\\\')}')`,
      message: 'conditions, observedGeneration, annotations and address are reserved',
    },
  ],
});
const ValuePath = Type.Object(
  {
    path: Type.String({
      description: 'Element of the variable, such as spec.sink, or $added.NAME for an added variable.',
      minLength: 1,
      maxLength: 512,
    }),
  },
  { description: 'Value of a variable.' },
);

/** Conditions that the controller writes. */
export const ownConditions = [
  'Ready',
  'Reconciled',
  'DeploymentReady',
  'ServiceReady',
  'KnativeServiceReady',
] as const;

/** As in Kubernetes: a name with an optional domain as its prefix. */
const conditionType = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`;

const StatusConfiguration = Type.Object(
  {
    add: optionalList(
      Type.Object({ path: StatusPath, valueFrom: ValuePath }),
      'Values of variables to write into the status.',
      { maxItems: 100 },
    ),
    addElements: optionalList(
      Type.Object({
        path: StatusPath,
        render: Type.Object({ valueFromParameter: ValuePath }, { description: 'Value to write.' }),
      }),
      'Older spelling of add.',
      { maxItems: 100 },
    ),
    conditionsFromHook: optional(
      listByKey(
        Type.Object({
          type: Type.String({
            description: 'Type of a condition that the hook reports. It counts for Ready.',
            pattern: conditionType,
            maxLength: 316,
            'x-kubernetes-validations': [
              {
                rule: `!(self in [${ownConditions.map((each) => `'${each}'`).join(', ')}])`,
                message: `${ownConditions.join(', ')} are reserved`,
              },
            ],
          }),
        }),
        ['type'],
        { description: 'Conditions that the hook reports.', maxItems: 32 },
      ),
    ),
  },
  { description: 'What is written into the status of an instance.' },
);

const GateSchema = Type.Object(
  {
    templateName: Type.String({
      description: 'Name of a HookTemplate in the namespace of the instance.',
      minLength: 1,
      maxLength: 253,
    }),
    args: optional(
      listByKey(
        Type.Object({
          name: Type.String({
            description: 'Name of an argument of the template.',
            minLength: 1,
            maxLength: 253,
          }),
          value: Type.String({ description: 'Value of the argument.', maxLength: 8192 }),
        }),
        ['name'],
        {
          description: 'Arguments of the template, in addition to those about the instance.',
          maxItems: 100,
        },
      ),
    ),
  },
  { description: 'HookTemplate that must be Successful before children are applied.' },
);

export const crdRegistration = defineKind({
  group: 'scoby.triggermesh.io',
  version: 'v1alpha1',
  kind: 'CRDRegistration',
  plural: 'crdregistrations',
  shortNames: ['crdreg'],
  categories: ['boathook'],
  scope: 'Cluster',
  description: 'Renders the instances of a CRD as workloads. A hook can change each reconciliation.',
  schema: Type.Object({
    spec: Type.Object(
      {
        crd: Type.String({
          description:
            'Name of a CustomResourceDefinition, such as kuards.extensions.triggermesh.io. Cannot be changed.',
          pattern: String.raw`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$`,
          maxLength: 253,
          'x-kubernetes-validations': [
            { rule: 'self == oldSelf', message: 'crd cannot be changed: create another registration' },
          ],
        }),
        workload: Type.Object(
          {
            formFactor: optional(FormFactor),
            fromImage: Type.Object(
              {
                repo: Type.String({
                  description: 'Image with its tag or digest.',
                  minLength: 1,
                  maxLength: 4096,
                }),
              },
              { description: 'Image of the container.' },
            ),
            parameterConfiguration: optional(ParameterConfiguration),
            statusConfiguration: optional(StatusConfiguration),
          },
          { description: 'Workload of each instance.' },
        ),
        hook: optional(Hook),
        gate: optional(GateSchema),
        referenceNamespaces: optionalList(
          Type.String({
            description: 'Name of a namespace, or * for all namespaces and cluster-scoped objects.',
            pattern: String.raw`^(\*|[a-z0-9]([-a-z0-9]*[a-z0-9])?)$`,
            maxLength: 63,
          }),
          'Namespaces that instances may refer to with resolveAddress, in addition to their own. Defaults to none.',
          { 'x-kubernetes-list-type': 'set', maxItems: 100 },
        ),
        concurrency: optionalInteger(
          'Number of instances that are reconciled at the same time. Defaults to 5.',
          { format: 'int32', minimum: 1, maximum: 100 },
        ),
      },
      {
        description: 'Desired state.',
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
          observedGeneration: optionalInteger('Generation of the registration that the status is about.', {
            format: 'int64',
          }),
          annotations: optional(
            mapOf(Type.String(), { description: 'hookURL: resolved address of the hook.' }),
          ),
          conditions: conditionList(
            'CRDExists, ControllerReady (whether its instances are reconciled, and why not), Ready, and HookHealthy (whether the hook can be reached; it does not count for Ready).',
          ),
        },
        { description: 'Observed state.' },
      ),
    ),
  }),
  columns: [
    {
      name: 'CRD',
      type: 'string',
      jsonPath: '.spec.crd',
      description: 'CustomResourceDefinition of the instances',
    },
    {
      name: 'Ready',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='Ready')].status",
      description: 'Whether its instances are reconciled',
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    {
      name: 'Hook',
      type: 'string',
      jsonPath: '.status.annotations.hookURL',
      description: 'Resolved address of the hook',
      wide: true,
    },
    {
      name: 'Reason',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='ControllerReady')].reason",
      description: 'Reason of ControllerReady',
      wide: true,
    },
  ],
  hasStatus: true,
});

export type CrdRegistration = ObjectOf<typeof crdRegistration>;
