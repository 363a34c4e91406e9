import { Type } from '#schema/kind/type.ts';
import { intOrString, listByKey, mapOf, openObject, setOf, stringEnum } from '#schema/kind/field.ts';
import type { PrinterColumn, Frozen, ScaleSubresource } from '#schema/kind/kind.ts';
import { conditionList } from '#schema/kind/condition.ts';
import { phases } from '#hooks/kinds/hook-run.ts';
import { portion } from './canary.ts';
import { PodHook, PreDeleteHook } from './pod-hook.ts';

const count = (description: string) => Type.Optional(Type.Integer({ description, format: 'int32' }));
const time = (description: string) => Type.Optional(Type.String({ description, format: 'date-time' }));
const text = (description: string) => Type.Optional(Type.String({ description }));

const Selector = Type.Object(
  {
    matchLabels: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 63 }), {
        description: 'Labels that a pod must have.',
        maxProperties: 64,
      }),
    ),
    matchExpressions: Type.Optional(
      Type.Array(
        Type.Object({
          key: Type.String({ description: 'The key of a label.', minLength: 1, maxLength: 317 }),
          operator: stringEnum(['In', 'NotIn', 'Exists', 'DoesNotExist'], {
            description: 'How it is compared.',
          }),
          values: Type.Optional(setOf({ description: 'With what.', maxItems: 64 })),
        }),
        { description: 'Conditions on labels.', maxItems: 32 },
      ),
    ),
  },
  { description: 'Which pods belong to it; must match the labels of the template.' },
);

const Template = Type.Unsafe<{
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Frozen<Record<string, never>>;
}>({
  type: 'object',
  description: 'The pod to run.',
  properties: {
    metadata: {
      type: 'object',
      description: 'Labels and annotations of the pods.',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        labels: mapOf(Type.String({ maxLength: 63 }), { description: 'Labels of the pods.' }),
      },
    },
    spec: openObject({ description: 'The spec of the pods, as everywhere in Kubernetes.' }),
  },
});

/** What is asked of pods before and after something happens to them. */
const podHookFields = {
  preDeleteUpdateStrategy: Type.Optional(PreDeleteHook),
  preInplaceUpdateStrategy: Type.Optional(PodHook),
  postInplaceUpdateStrategy: Type.Optional(PodHook),
};

const InPlace = Type.Object(
  {
    gracePeriodSeconds: Type.Optional(
      Type.Integer({
        description: 'How long a pod is out of service before its containers change.',
        minimum: 0,
        default: 0,
      }),
    ),
    deadlineSeconds: Type.Optional(
      Type.Integer({
        description:
          'After so long without new containers an update in place counts as stuck; 600 unless given.',
        minimum: 1,
      }),
    ),
    policy: Type.Optional(
      stringEnum(['DisOrdered', 'OrderedReady', 'OrderedUpdated'], {
        description:
          'In which order the containers of one pod change. DisOrdered: all at once. OrderedReady: as the template lists them, each when the one before it is ready again. OrderedUpdated: each when the one before it was replaced. DisOrdered unless given.',
      }),
    ),
  },
  { description: 'How pods are updated in place.' },
);

export const updateTypes = [
  'RollingUpdate',
  'InplaceUpdate',
  'InplaceIfPossible',
  'HotPatchUpdate',
  'OnDelete',
] as const;
export type UpdateType = (typeof updateTypes)[number];

export const commonUpdateFields = {
  type: Type.Optional(
    stringEnum(updateTypes, {
      description:
        'How pods come to a new revision: by new pods, in place, in place where that is possible, by hot patch, or when somebody deletes them.',
      default: 'RollingUpdate',
    }),
  ),
  paused: Type.Optional(
    Type.Boolean({
      description:
        'Stops updates; scaling goes on. Steps that pause set it, and setting it to false goes on.',
      default: false,
    }),
  ),
  inPlaceUpdateStrategy: Type.Optional(InPlace),
  hotPatchStrategy: Type.Optional(
    Type.Object(
      {
        force: Type.Optional(
          Type.Boolean({ description: 'Also where no node says that it supports hot patches.' }),
        ),
      },
      { description: 'How pods are hot-patched.' },
    ),
  ),
};

/** A number, or a share of replicas that cannot be more than all of them. */
export const part = (description: string, usual?: number | string) =>
  Type.Optional(
    intOrString({
      description,
      ...(usual === undefined ? {} : { default: usual }),
      text: portion,
      minimum: 0,
      maxLength: 4,
    }),
  );

/** A share of replicas or a number. */
export const amount = (description: string, usual?: number | string) =>
  Type.Optional(
    intOrString({
      description,
      ...(usual === undefined ? {} : { default: usual }),
      text: {
        matches: '^[0-9]{1,3}%$',
        message: 'must be a whole number of at least 0 or a percentage from 0% to 999%, such as 25%',
      },
      minimum: 0,
      maxLength: 4,
    }),
  );

/** Says in CEL that an amount is none. */
const isZero = (path: string): string => `(${path} == 0 || ${path} == '0%')`;

const PodHookCondition = Type.Object({
  podName: Type.String({ description: 'The pod.' }),
  startTime: time('When it was asked.'),
  phase: Type.Optional(stringEnum(phases, { description: 'How the run stands.' })),
});

const podHookList = (description: string) => Type.Optional(Type.Array(PodHookCondition, { description }));

const PauseCondition = Type.Object({
  reason: Type.String({ description: 'PausedByCanaryPauseStep, PausedByStepBasedHook or PausedByUser.' }),
  startTime: time('Since when.'),
});

/** The parts of the status that both workloads have. */
export const commonStatusFields = {
  observedGeneration: Type.Optional(
    Type.Integer({ description: 'The generation it speaks of.', format: 'int64' }),
  ),
  replicas: count('Pods there are.'),
  readyReplicas: count('Pods that are ready.'),
  updatedReplicas: count('Pods of the update revision.'),
  updatedReadyReplicas: count('Pods of the update revision that are ready.'),
  currentRevision: text('The oldest revision that a pod has.'),
  updateRevision: text('The revision of the template.'),
  collisionCount: count('How often two templates had one hash.'),
  labelSelector: text('The selector as text, for autoscalers.'),
  currentStepIndex: count('The step it is at; the number of steps when all are done.'),
  currentStepHash: text('Tells whether steps were edited.'),
  canary: Type.Optional(
    Type.Object(
      {
        revision: text('The stable revision: the last one that went through all steps.'),
        currentStepHookRun: text('The run that the current step waits for.'),
        releaseID: text('Identifies this walk through the steps. HookRuns of another walk decide nothing.'),
        walkedSteps: Type.Optional(
          Type.Array(Type.String(), {
            description: 'Hashes of the steps up to the current one. They show which steps were edited.',
            maxItems: 100,
          }),
        ),
        abortedRevision: text('The revision that was taken back after a bad verdict.'),
      },
      { description: 'How the release stands.' },
    ),
  ),
  pauseConditions: Type.Optional(listByKey(PauseCondition, ['reason'], { description: 'Why it is paused.' })),
  preDeleteHookCondition: podHookList('Pods that wait to be deleted.'),
  preInplaceHookCondition: podHookList('Pods that wait to be updated in place.'),
  postInplaceHookCondition: podHookList('Pods that were updated in place and are being asked about.'),
  lastProgressTime: time('When the release last came closer to its end.'),
  phase: text('Progressing, Paused, Blocked or Complete.'),
  step: text('The step it is at and how many there are.'),
  message: text('Why it is not moving, or that all is done.'),
  conditions: conditionList(
    'Available, Progressing, Paused, Healthy, HooksValid where hooks are named, and FailedScale or FailedUpdate with their cause.',
  ),
};

/** The part of the spec that both workloads have. */
export const commonSpecFields = {
  replicas: Type.Optional(
    Type.Integer({ description: 'How many pods.', format: 'int32', minimum: 0, default: 1 }),
  ),
  selector: Selector,
  template: Template,
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
  disableReadinessGate: Type.Optional(
    Type.Boolean({ description: 'Make pods without the readiness gate InPlaceUpdateReady.' }),
  ),
  ...podHookFields,
};

export const specRules = [
  {
    rule: '!has(self.selector.matchLabels) || self.selector.matchLabels.all(key, has(self.template.metadata) && has(self.template.metadata.labels) && key in self.template.metadata.labels && self.template.metadata.labels[key] == self.selector.matchLabels[key])',
    message: 'selector does not match the labels of the template',
  },
];

export const budgetRule = {
  rule: `!has(self.maxUnavailable) || !${isZero('self.maxUnavailable')} || (has(self.maxSurge) && !${isZero('self.maxSurge')})`,
  message: 'maxUnavailable and maxSurge must not both be 0: nothing could ever be updated',
};

/** What `kubectl get -o wide` adds. */
export const releaseColumns: readonly PrinterColumn[] = [
  {
    name: 'STEP',
    type: 'string',
    jsonPath: '.status.step',
    description: 'The step it is at',
    wide: true,
  },
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
];

export const scalePaths: ScaleSubresource = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.labelSelector',
};
