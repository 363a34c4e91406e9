import { Type } from '#schema/kind/type.ts';
import { openObject, stringEnum } from '#schema/kind/field.ts';
import { defineKind, type ObjectOf } from '#schema/kind/kind.ts';
import { Canary } from './canary.ts';
import {
  amount,
  budgetRule,
  commonSpecFields,
  commonStatusFields,
  commonUpdateFields,
  part,
  releaseColumns,
  scalePaths,
  specRules,
} from './workload-parts.ts';

const RollingUpdate = Type.Object(
  {
    partition: part('Pods with an ordinal below this number (or share of replicas) stay on old revisions.'),
    maxUnavailable: part('So many pods may be out of service while it updates.', '25%'),
    maxSurge: amount('So many pods more than replicas may exist while it updates; with Parallel only.'),
  },
  {
    description: 'How far and how fast; counts for updates in place as well.',
    'x-kubernetes-validations': [budgetRule],
  },
);

const UpdateStrategy = Type.Object(
  { ...commonUpdateFields, rollingUpdate: Type.Optional(RollingUpdate), canary: Type.Optional(Canary) },
  {
    description: 'How a new template reaches the pods.',
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
    'Pods with a number and storage of their own, updated by new pods or in place, in steps that can stop for people and hooks.',
  schema: Type.Object({
    spec: Type.Object(
      {
        ...commonSpecFields,
        serviceName: Type.String({ description: 'The Service that names its pods; it need not exist.' }),
        podManagementPolicy: Type.Optional(
          stringEnum(['OrderedReady', 'Parallel'], {
            description: 'One after another, or all at once; for updates as well.',
            default: 'OrderedReady',
          }),
        ),
        volumeClaimTemplates: Type.Optional(
          Type.Array(openObject({ description: 'A PersistentVolumeClaim.' }), {
            description: 'Claims of each pod; they outlive it.',
            maxItems: 32,
          }),
        ),
        reserveOrders: Type.Optional(
          Type.Array(Type.Integer({ minimum: 0 }), {
            description: 'Ordinals that no pod gets.',
            maxItems: 1000,
          }),
        ),
        scaleStrategy: Type.Optional(
          Type.Object(
            { createBatch: amount('How many pods are made at once when it is new.', '100%') },
            { description: 'How it grows.' },
          ),
        ),
        updateStrategy: Type.Optional(UpdateStrategy),
      },
      {
        description: 'What is wanted.',
        'x-kubernetes-validations': specRules,
      },
    ),
    status: Type.Optional(
      Type.Object(
        {
          ...commonStatusFields,
          currentReplicas: Type.Optional(
            Type.Integer({ description: 'Pods of the current revision.', format: 'int32' }),
          ),
        },
        { description: 'What there is.' },
      ),
    ),
  }),
  columns: [
    { name: 'REPLICAS', type: 'integer', jsonPath: '.spec.replicas', description: 'Pods wanted' },
    {
      name: 'READY_REPLICAS',
      type: 'integer',
      jsonPath: '.status.readyReplicas',
      description: 'Pods that are ready',
    },
    {
      name: 'CURRENT_REPLICAS',
      type: 'integer',
      jsonPath: '.status.currentReplicas',
      description: 'Pods of the current revision',
    },
    {
      name: 'UPDATED_REPLICAS',
      type: 'integer',
      jsonPath: '.status.updatedReplicas',
      description: 'Pods of the update revision',
    },
    {
      name: 'UPDATED_READY_REPLICAS',
      type: 'integer',
      jsonPath: '.status.updatedReadyReplicas',
      description: 'Those that are ready',
    },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ...releaseColumns,
  ],
  hasStatus: true,
  scale: scalePaths,
});

export type GameStatefulSet = ObjectOf<typeof gameStatefulSet>;
