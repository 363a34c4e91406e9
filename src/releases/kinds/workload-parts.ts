import { Type } from '#schema/kind/type.ts';
import { intOrString, listByKey, mapOf, openObject, setOf, stringEnum } from '#schema/kind/field.ts';
import type { Frozen, ScaleSubresource } from '#schema/kind/kind.ts';
import { conditionList } from '#schema/kind/condition.ts';
import { phases } from '#hooks/kinds/hook-run.ts';
import { portion } from './canary.ts';
import { PodHook, PreDeleteHook } from './pod-hook.ts';
import { Promotion, RecordedAct, ReleaseRecord } from './release-history.ts';

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
          key: Type.String({ description: 'Key of a label.', minLength: 1, maxLength: 317 }),
          operator: stringEnum(['In', 'NotIn', 'Exists', 'DoesNotExist'], {
            description: 'Relation between the key and the values.',
          }),
          values: Type.Optional(setOf({ description: 'Values for In and NotIn.', maxItems: 64 })),
        }),
        { description: 'Requirements on labels; a pod must meet all of them.', maxItems: 32 },
      ),
    ),
  },
  { description: 'Selects the pods of the workload. Must match the labels of the template.' },
);

const Template = Type.Unsafe<{
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Frozen<Record<string, never>>;
}>({
  type: 'object',
  description: 'Template of the pods.',
  properties: {
    metadata: {
      type: 'object',
      description: 'Labels and annotations of the pods.',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        labels: mapOf(Type.String({ maxLength: 63 }), { description: 'Labels of the pods.' }),
      },
    },
    spec: openObject({ description: 'Spec of the pods, as in a Deployment.' }),
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
        description: 'Seconds between taking a pod out of service and replacing its containers.',
        minimum: 0,
        default: 0,
      }),
    ),
    deadlineSeconds: Type.Optional(
      Type.Integer({
        description:
          'Seconds after which an in-place update without new containers is reported as stuck. Default: 600.',
        minimum: 1,
      }),
    ),
    policy: Type.Optional(
      stringEnum(['DisOrdered', 'OrderedReady', 'OrderedUpdated'], {
        description:
          'Order in which the containers of a pod are replaced. DisOrdered: all at once. OrderedReady: in the order of the template, each when the one before it is ready again. OrderedUpdated: each when the one before it is replaced. Default: DisOrdered.',
      }),
    ),
  },
  { description: 'Settings of in-place updates.' },
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
        'How pods are updated. RollingUpdate: by new pods. InplaceUpdate: in place. InplaceIfPossible: in place, or by new pods where a change cannot be made in place. HotPatchUpdate: by hot patch. OnDelete: when a user deletes them.',
      default: 'RollingUpdate',
    }),
  ),
  paused: Type.Optional(
    Type.Boolean({
      description:
        'Pauses updates; scaling continues. Steps that pause set it to true. Set it to false to resume, unless resumePolicy is Approval.',
      default: false,
    }),
  ),
  resumePolicy: Type.Optional(
    stringEnum(['Spec', 'Approval'], {
      description:
        'How the pause of a step or a failed hook is ended. Spec: by setting paused to false, or by boathook release promote. Approval: only by boathook release promote, retry or abort; paused: false is set back to true once and then ignored. Default: Spec.',
    }),
  ),
  inPlaceUpdateStrategy: Type.Optional(InPlace),
  hotPatchStrategy: Type.Optional(
    Type.Object(
      {
        force: Type.Optional(
          Type.Boolean({
            description:
              'Whether pods are hot-patched on nodes without the label boathook.dev/hot-patch=true.',
          }),
        ),
      },
      { description: 'Settings of hot patches.' },
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
  podName: Type.String({ description: 'Name of the pod.' }),
  startTime: time('When the hook started.'),
  phase: Type.Optional(stringEnum(phases, { description: 'Phase of the HookRun.' })),
});

const podHookList = (description: string) => Type.Optional(Type.Array(PodHookCondition, { description }));

const PauseCondition = Type.Object({
  reason: Type.String({ description: 'PausedByCanaryPauseStep, PausedByStepBasedHook or PausedByUser.' }),
  startTime: time('When the pause started.'),
});

/** The parts of the status that both workloads have. */
export const commonStatusFields = {
  observedGeneration: Type.Optional(
    Type.Integer({ description: 'Generation of the spec that this status describes.', format: 'int64' }),
  ),
  replicas: count('Number of pods.'),
  readyReplicas: count('Number of ready pods.'),
  updatedReplicas: count('Number of pods of the update revision.'),
  updatedReadyReplicas: count('Number of ready pods of the update revision.'),
  currentRevision: text('Last revision that all pods had. It stays until all have another one.'),
  updateRevision: text('Revision of the template.'),
  collisionCount: count('Number of hash collisions of templates.'),
  labelSelector: text('Label selector as text, for the scale subresource.'),
  currentStepIndex: count('Index of the current step, from 0; the number of steps when all are done.'),
  currentStepHash: text('Hash of the steps. It shows whether they were edited.'),
  canary: Type.Optional(
    Type.Object(
      {
        revision: text('Stable revision: the last one that went through all steps.'),
        currentStepHookRun: text('HookRun of the current step.'),
        releaseID: text('Identifies this walk through the steps. HookRuns of other walks do not count.'),
        walkedSteps: Type.Optional(
          Type.Array(Type.String(), {
            description: 'Hashes of the steps up to the current one. They show which steps were edited.',
            maxItems: 100,
          }),
        ),
        abortedRevision: text('Revision that was aborted because a hook failed, or on request.'),
        promotion: Type.Optional(Promotion),
        retries: count('Number of times that the hook of the current step was retried.'),
        ignoredResumes: count('Number of times that paused: false was ignored in the present pause.'),
        resumeIgnored: Type.Optional(
          Type.Boolean({ description: 'Whether paused is false in the spec and is ignored at present.' }),
        ),
        lastAct: Type.Optional(RecordedAct),
      },
      { description: 'State of the release.' },
    ),
  ),
  pauseConditions: Type.Optional(
    listByKey(PauseCondition, ['reason'], { description: 'Why the release is paused.' }),
  ),
  preDeleteHookCondition: podHookList('Pods that wait for their hook before deletion.'),
  preInplaceHookCondition: podHookList('Pods that wait for their hook before an in-place update.'),
  postInplaceHookCondition: podHookList('Pods whose hook after an in-place update has not passed.'),
  lastProgressTime: time('Time of the last progress of the release.'),
  phase: text('Phase of the release: Progressing, Paused, Blocked or Complete.'),
  step: text('Current step, from 1, and number of steps, such as 1/3.'),
  reason: text('Why the release is in its phase, in one word.'),
  message: text('What the release waits for, or that it is complete.'),
  history: Type.Optional(
    Type.Array(ReleaseRecord, { description: 'The last releases, newest first.', maxItems: 10 }),
  ),
  conditions: conditionList(
    'Available, Progressing, Paused, Healthy, HooksValid for workloads with hooks, and FailedScale or FailedUpdate after a failure.',
  ),
};

/** The part of the spec that both workloads have. */
export const commonSpecFields = {
  replicas: Type.Optional(
    Type.Integer({ description: 'Number of pods.', format: 'int32', minimum: 0, default: 1 }),
  ),
  selector: Selector,
  template: Template,
  revisionHistoryLimit: Type.Optional(
    Type.Integer({
      description: 'Number of unused ControllerRevisions that are kept.',
      format: 'int32',
      minimum: 0,
      default: 10,
    }),
  ),
  progressDeadlineSeconds: Type.Optional(
    Type.Integer({
      description:
        'Seconds without progress after which the release is Blocked with the reason ProgressDeadlineExceeded.',
      format: 'int32',
      minimum: 1,
      default: 600,
    }),
  ),
  successfulHookRunHistoryLimit: Type.Optional(
    Type.Integer({
      description: 'Number of successful HookRuns of earlier releases that are kept. Default: 5.',
      format: 'int32',
      minimum: 0,
      maximum: 1000,
    }),
  ),
  failedHookRunHistoryLimit: Type.Optional(
    Type.Integer({
      description: 'Number of other finished HookRuns of earlier releases that are kept. Default: 5.',
      format: 'int32',
      minimum: 0,
      maximum: 1000,
    }),
  ),
  disableReadinessGate: Type.Optional(
    Type.Boolean({ description: 'Whether pods are created without the readiness gate InPlaceUpdateReady.' }),
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
  message: 'maxUnavailable and maxSurge must not both be 0: no pod could be updated',
};

export const scalePaths: ScaleSubresource = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.labelSelector',
};
