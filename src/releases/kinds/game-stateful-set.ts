import { Type } from '#schema/kind/type.ts';
import { openObject, stringEnum } from '#schema/kind/field.ts';
import { defineKind, type ObjectOf } from '#schema/kind/kind.ts';
import { Canary } from './canary.ts';
import { releaseColumns } from './release-columns.ts';
import {
  amount,
  budgetRule,
  commonSpecFields,
  commonStatusFields,
  commonUpdateFields,
  part,
  scalePaths,
  specRules,
} from './workload-parts.ts';

const RollingUpdate = Type.Object(
  {
    partition: part(
      'Pods with an ordinal below this number, or percentage of replicas, stay on old revisions.',
    ),
    maxUnavailable: part(
      'Maximum number of pods that can be unavailable during the update, or percentage of replicas.',
      '25%',
    ),
    maxSurge: amount(
      'Maximum number of pods above replicas during the update, or percentage of replicas. Only with podManagementPolicy Parallel.',
    ),
  },
  {
    description: 'Limits of the update, also of in-place updates.',
    'x-kubernetes-validations': [budgetRule],
  },
);

const UpdateStrategy = Type.Object(
  { ...commonUpdateFields, rollingUpdate: Type.Optional(RollingUpdate), canary: Type.Optional(Canary) },
  {
    description: 'How pods are updated to a new template.',
    default: {},
    'x-kubernetes-validations': [
      {
        rule: "!has(self.type) || self.type != 'OnDelete' || !has(self.rollingUpdate)",
        message: 'rollingUpdate has no meaning with OnDelete',
      },
    ],
  },
);

export const gameStatefulSet = defineKind({
  group: 'tkex.tencent.com',
  version: 'v1alpha1',
  kind: 'GameStatefulSet',
  plural: 'gamestatefulsets',
  shortNames: ['gsts'],
  categories: ['all', 'boathook'],
  scope: 'Namespaced',
  description:
    'Pods with stable names and storage, updated by new pods or in place, in canary steps with manual approval and hooks.',
  schema: Type.Object({
    spec: Type.Object(
      {
        ...commonSpecFields,
        serviceName: Type.String({
          description: 'Name of the Service for the DNS names of the pods. It need not exist.',
        }),
        podManagementPolicy: Type.Optional(
          stringEnum(['OrderedReady', 'Parallel'], {
            description:
              'OrderedReady: pods are created, deleted and updated one after another. Parallel: all at once.',
            default: 'OrderedReady',
          }),
        ),
        volumeClaimTemplates: Type.Optional(
          Type.Array(openObject({ description: 'A PersistentVolumeClaim.' }), {
            description: 'PersistentVolumeClaims of each pod. They are kept when the pod is deleted.',
            maxItems: 32,
          }),
        ),
        reserveOrders: Type.Optional(
          Type.Array(Type.Integer({ minimum: 0 }), {
            description: 'Ordinals that are not used.',
            maxItems: 1000,
          }),
        ),
        scaleStrategy: Type.Optional(
          Type.Object(
            {
              createBatch: amount(
                'Number of pods created at once for a new workload, or percentage of replicas.',
                '100%',
              ),
            },
            { description: 'How pods are created.' },
          ),
        ),
        updateStrategy: Type.Optional(UpdateStrategy),
      },
      {
        description: 'Desired state.',
        'x-kubernetes-validations': specRules,
      },
    ),
    status: Type.Optional(
      Type.Object(
        {
          ...commonStatusFields,
          currentReplicas: Type.Optional(
            Type.Integer({ description: 'Number of pods of the current revision.', format: 'int32' }),
          ),
        },
        { description: 'Observed state.' },
      ),
    ),
  }),
  columns: [
    { name: 'REPLICAS', type: 'integer', jsonPath: '.spec.replicas', description: 'Desired number of pods' },
    {
      name: 'READY_REPLICAS',
      type: 'integer',
      jsonPath: '.status.readyReplicas',
      description: 'Number of ready pods',
    },
    {
      name: 'CURRENT_REPLICAS',
      type: 'integer',
      jsonPath: '.status.currentReplicas',
      description: 'Number of pods of the current revision',
    },
    {
      name: 'UPDATED_REPLICAS',
      type: 'integer',
      jsonPath: '.status.updatedReplicas',
      description: 'Number of pods of the update revision',
    },
    {
      name: 'UPDATED_READY_REPLICAS',
      type: 'integer',
      jsonPath: '.status.updatedReadyReplicas',
      description: 'Number of ready pods of the update revision',
    },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ...releaseColumns,
  ],
  hasStatus: true,
  scale: scalePaths,
});

export type GameStatefulSet = ObjectOf<typeof gameStatefulSet>;
