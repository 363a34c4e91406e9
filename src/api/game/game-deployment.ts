import { Type } from 'typebox';
import { setOf } from '#api/field.ts';
import { defineKind, type ObjectOf } from '#api/kind.ts';
import { Canary } from './canary.ts';
import {
  amount,
  commonStatusFields,
  commonUpdateFields,
  isZero,
  podHookFields,
  Selector,
  Template,
} from './workload-parts.ts';

const UpdateStrategy = Type.Object(
  {
    ...commonUpdateFields,
    partition: amount('So many pods (or this share of replicas) stay on old revisions.'),
    maxUnavailable: amount('So many pods may be out of service while it updates.', '25%'),
    maxSurge: amount('So many pods more than replicas may exist while it updates.'),
    canary: Type.Optional(Canary),
  },
  {
    description: 'How a new template reaches the pods.',
    default: {},
    'x-kubernetes-validations': [
      {
        rule: `!has(self.maxUnavailable) || !${isZero('self.maxUnavailable')} || (has(self.maxSurge) && !${isZero('self.maxSurge')})`,
        message: 'maxUnavailable and maxSurge must not both be 0: nothing could ever be updated',
      },
    ],
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
        replicas: Type.Optional(
          Type.Integer({ description: 'How many pods.', format: 'int32', minimum: 0, default: 1 }),
        ),
        selector: Selector,
        template: Template,
        minReadySeconds: Type.Optional(
          Type.Integer({
            description: 'How long a pod must be ready before it counts as available.',
            format: 'int32',
            minimum: 0,
            default: 0,
          }),
        ),
        revisionHistoryLimit: Type.Optional(
          Type.Integer({
            description: 'How many unused revisions are kept.',
            format: 'int32',
            minimum: 0,
            default: 10,
          }),
        ),
        progressDeadlineSeconds: Type.Optional(
          Type.Integer({
            description: 'After so long without progress the release counts as stuck.',
            format: 'int32',
            minimum: 1,
            default: 600,
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
        disableReadinessGate: Type.Optional(
          Type.Boolean({ description: 'Make pods without the readiness gate InPlaceUpdateReady.' }),
        ),
        ...podHookFields,
      },
      {
        description: 'What is wanted.',
        'x-kubernetes-validations': [
          {
            rule: '!has(self.selector.matchLabels) || self.selector.matchLabels.all(key, has(self.template.metadata) && has(self.template.metadata.labels) && key in self.template.metadata.labels && self.template.metadata.labels[key] == self.selector.matchLabels[key])',
            message: 'selector does not match the labels of the template',
          },
        ],
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
    { name: 'STEP', type: 'string', jsonPath: '.status.step', description: 'The step it is at', wide: true },
    {
      name: 'PHASE',
      type: 'string',
      jsonPath: '.status.phase',
      description: 'How the release stands',
      wide: true,
    },
    {
      name: 'IMAGES',
      type: 'string',
      jsonPath: '.spec.template.spec.containers[*].image',
      description: 'The images of the template',
      wide: true,
    },
  ],
  hasStatus: true,
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.labelSelector',
  },
});

export type GameDeployment = ObjectOf<typeof gameDeployment>;
