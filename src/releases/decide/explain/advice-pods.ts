import type { BlockerReason } from '#releases/model/blocker.ts';
import { hotPatchNodeLabel } from '#releases/model/well-known.ts';
import { editWorkload, goBack, patchSpec, type Advice } from './advice-model.ts';
import type { Remedy } from './explanation.ts';
import { kubectl, kubectlName, releaseCommand, type ExplainContext } from './explain-context.ts';
import { podToDelete, unreadyPods } from './pod-evidence.ts';
import { followingStep } from './step-words.ts';

/** Pods that are not ready, that are not updated, or that the server refuses. */
export const podAdvice = {
  WaitingForPods: {
    ends: (context) => `The release goes on by itself when the pods are in service.${thenStep(context)}`,
    remedies: (context) => [...lookAtPods(context), goBack(context)],
  },
  CanaryPodsNotReady: {
    ends: (context) => `The release goes on by itself when the pods are ready.${thenStep(context)}`,
    remedies: (context) => [
      ...lookAtPods(context),
      { what: 'Go on without these pods', command: releaseCommand(context, 'promote') },
      goBack(context),
    ],
  },
  InPlaceUpdateStuck: {
    ends: () => 'The release goes on by itself when the containers of the pod are replaced.',
    remedies: (context) => [
      ...lookAtPods(context),
      {
        what: 'Delete the pod: a new one gets the new template',
        command: kubectl(context, `delete pod ${unreadyPods(context)[0]?.facts.name ?? 'POD'}`),
      },
      goBack(context),
    ],
  },
  InPlaceImpossible: {
    ends: () => 'The pods stay as they are until the template or the type of update is changed.',
    remedies: (context) => [
      updateType(context, 'Replace pods where a change cannot be made in place', 'InplaceIfPossible'),
      goBack(context),
    ],
  },
  HotPatchUnsupported: {
    ends: () => 'The release goes on by itself when the node has the label.',
    remedies: (context) => [
      {
        what: 'Mark a node that supports hot patches: NODE is its name',
        command: `kubectl label node NODE ${hotPatchNodeLabel}=true`,
      },
      patchSpec(
        context,
        'Or patch without the label',
        '{"updateStrategy":{"hotPatchStrategy":{"force":true}}}',
      ),
      updateType(context, 'Or replace the pods', 'RollingUpdate'),
    ],
  },
  BlockedByDisruptionBudget: {
    ends: () => 'The release goes on by itself when the PodDisruptionBudget allows a disruption.',
    remedies: (context) => [
      {
        what: 'See how many disruptions the budgets allow, and make pods ready or change a budget',
        command: kubectl(context, 'get poddisruptionbudgets'),
      },
      ...lookAtPods(context),
      goBack(context),
    ],
  },
  MaxUnavailableReached: {
    ends: () => 'The release goes on by itself when pods are in service again.',
    remedies: (context) => [
      ...lookAtPods(context),
      editWorkload(context, 'Or allow more pods out of service: maxUnavailable'),
      goBack(context),
    ],
  },
  WaitingForDeletion: {
    ends: (context) => `The release continues when a user deletes the pods.${thenStep(context)}`,
    remedies: (context) => [
      {
        what: 'Delete a pod: the new one gets the new template',
        command: kubectl(context, `delete pod ${podToDelete(context) ?? 'POD'}`),
      },
      updateType(context, 'Or let the controller replace the pods', 'RollingUpdate'),
    ],
  },
  FailedCreate: {
    ends: () => 'The controller tries again, with longer and longer pauses.',
    remedies: (context) => [
      {
        what: 'See quotas and limits, and remove the cause in the message',
        command: kubectl(context, 'describe resourcequotas,limitranges'),
      },
      goBack(context),
    ],
  },
  FailedDelete: {
    ends: () => 'The controller tries again, with longer and longer pauses.',
    remedies: (context) => [
      {
        what: 'See the events about the pods, and remove the cause in the message',
        command: kubectl(context, 'get events --field-selector=involvedObject.kind=Pod'),
      },
      goBack(context),
    ],
  },
  FailedUpdate: {
    ends: () => 'The controller tries again at least every 10 s, and at once when the spec changes.',
    remedies: (context) => [
      {
        what: 'See the events about the workload, and remove the cause in the message: the API server, an admission webhook, a policy or RBAC',
        command: kubectl(context, `describe ${kubectlName(context.snapshot.workload)}`),
      },
    ],
  },
  InvalidSpec: {
    ends: () => 'No pod is updated until the spec is corrected.',
    remedies: (context) => [editWorkload(context, 'Correct the spec')],
  },
  ProgressDeadlineExceeded: {
    ends: () => 'The release still goes on by itself when its pods or hooks do.',
    remedies: (context) => [
      ...lookAtPods(context),
      editWorkload(context, 'Or allow more time: progressDeadlineSeconds'),
      goBack(context),
    ],
  },
} as const satisfies Partial<Record<BlockerReason, Advice>>;

const thenStep = (context: ExplainContext): string =>
  context.stepIndex === undefined ? '' : ` Then comes ${followingStep(context)}.`;

/** The log too, if a container has ended and was started again. */
function lookAtPods(context: ExplainContext): readonly Remedy[] {
  const [pod] = unreadyPods(context);
  if (pod === undefined) return [];
  const { name } = pod.facts;
  return [
    { what: `See why pod ${name} is not in service`, command: kubectl(context, `describe pod ${name}`) },
    ...(pod.restarts === 0
      ? []
      : [
          {
            what: 'Read the log of its container before the last restart',
            command: kubectl(context, `logs ${name} --all-containers --previous`),
          },
        ]),
  ];
}

const updateType = (context: ExplainContext, what: string, type: string): Remedy =>
  patchSpec(context, what, `{"updateStrategy":{"type":"${type}"}}`);
