import { Type } from '#schema/kind/type.ts';
import { setOf } from '#schema/kind/field.ts';
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

const UpdateStrategy = Type.Object(
  {
    ...commonUpdateFields,
    partition: part('Number of pods that stay on old revisions, or percentage of replicas, rounded up.'),
    maxUnavailable: part(
      'Maximum number of pods that can be unavailable during the update, or percentage of replicas.',
      '25%',
    ),
    maxSurge: amount(
      'Maximum number of pods above replicas during the update, or percentage of replicas. OnDelete makes no pods above replicas.',
    ),
    canary: Type.Optional(Canary),
  },
  {
    description: 'How pods are updated to a new template.',
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
    'Interchangeable pods, updated by new pods or in place, in canary steps with manual approval and hooks.',
  schema: Type.Object({
    spec: Type.Object(
      {
        ...commonSpecFields,
        minReadySeconds: Type.Optional(
          Type.Integer({
            description: 'Seconds that a pod must be ready before it is available.',
            format: 'int32',
            minimum: 0,
            default: 0,
          }),
        ),
        scaleStrategy: Type.Optional(
          Type.Object(
            {
              podsToDelete: Type.Optional(
                setOf({
                  description: 'Names of pods to delete first. The controller removes names of deleted pods.',
                  maxItems: 1000,
                }),
              ),
              createBatch: amount(
                'Number of pods created at once for a new workload, or percentage of replicas.',
                '100%',
              ),
            },
            { description: 'How pods are created and deleted.' },
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
          availableReplicas: Type.Optional(
            Type.Integer({
              description: 'Number of pods that have been ready for minReadySeconds.',
              format: 'int32',
            }),
          ),
        },
        { description: 'Observed state.' },
      ),
    ),
  }),
  columns: [
    { name: 'DESIRED', type: 'integer', jsonPath: '.spec.replicas', description: 'Desired number of pods' },
    {
      name: 'UPDATED',
      type: 'integer',
      jsonPath: '.status.updatedReplicas',
      description: 'Number of pods of the update revision',
    },
    {
      name: 'UPDATED_READY',
      type: 'integer',
      jsonPath: '.status.updatedReadyReplicas',
      description: 'Number of ready pods of the update revision',
    },
    {
      name: 'READY',
      type: 'integer',
      jsonPath: '.status.readyReplicas',
      description: 'Number of ready pods',
    },
    { name: 'TOTAL', type: 'integer', jsonPath: '.status.replicas', description: 'Number of pods' },
    { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ...releaseColumns,
  ],
  hasStatus: true,
  scale: scalePaths,
});

export type GameDeployment = ObjectOf<typeof gameDeployment>;
