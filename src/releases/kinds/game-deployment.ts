import { Type } from '#schema/kind/type.ts';
import { setOf } from '#schema/kind/field.ts';
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

const UpdateStrategy = Type.Object(
  {
    ...commonUpdateFields,
    partition: part('So many pods (or this share of replicas) stay on old revisions.'),
    maxUnavailable: part('So many pods may be out of service while it updates.', '25%'),
    maxSurge: amount('So many pods more than replicas may exist while it updates.'),
    canary: Type.Optional(Canary),
  },
  {
    description: 'How a new template reaches the pods.',
    default: {},
    'x-kubernetes-validations': [budgetRule],
  },
);

export const gameDeployment = defineKind({
  group: 'tkex.tencent.com',
  version: 'v1alpha1',
  kind: 'GameDeployment',
  plural: 'gamedeployments',
  shortNames: ['gd'],
  categories: ['all', 'boathook'],
  scope: 'Namespaced',
  description:
    'Pods that are alike, updated by new pods or in place, in steps that can stop for people and hooks.',
  schema: Type.Object({
    spec: Type.Object(
      {
        ...commonSpecFields,
        minReadySeconds: Type.Optional(
          Type.Integer({
            description: 'How long a pod must be ready before it counts as available.',
            format: 'int32',
            minimum: 0,
            default: 0,
          }),
        ),
        scaleStrategy: Type.Optional(
          Type.Object(
            {
              podsToDelete: Type.Optional(
                setOf({ description: 'Pods that go before any others.', maxItems: 1000 }),
              ),
              createBatch: amount('How many pods are made at once when it is new.', '100%'),
            },
            { description: 'How it grows and shrinks.' },
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
          availableReplicas: Type.Optional(
            Type.Integer({ description: 'Pods that have been ready for long enough.', format: 'int32' }),
          ),
        },
        { description: 'What there is.' },
      ),
    ),
  }),
  columns: [
    { name: 'DESIRED', type: 'integer', jsonPath: '.spec.replicas', description: 'Pods wanted' },
    {
      name: 'UPDATED',
      type: 'integer',
      jsonPath: '.status.updatedReplicas',
      description: 'Pods of the update revision',
    },
    {
      name: 'UPDATED_READY',
      type: 'integer',
      jsonPath: '.status.updatedReadyReplicas',
      description: 'Those that are ready',
    },
    { name: 'READY', type: 'integer', jsonPath: '.status.readyReplicas', description: 'Pods that are ready' },
    { name: 'TOTAL', type: 'integer', jsonPath: '.status.replicas', description: 'Pods there are' },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ...releaseColumns,
  ],
  hasStatus: true,
  scale: scalePaths,
});

export type GameDeployment = ObjectOf<typeof gameDeployment>;
