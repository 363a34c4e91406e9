/**
 * Why a release does not progress: the reasons of the conditions Progressing and Paused, with their description in the
 * guide.
 */
export const blockerReasons = {
  PausedByCanaryPauseStep: 'A pause step waits for its time or for manual approval.',
  PausedByStepBasedHook: 'The hook of a step failed: promote, retry or abort the release.',
  PausedByUser: 'A user has set spec.updateStrategy.paused to true.',
  WaitingForPods: 'Pods of the new revision are not ready yet, or not for long enough.',
  CanaryPodsNotReady: 'A step is done, but pods that the release has updated are not ready.',
  UnknownStep: 'A canary step is of a type that this version does not know.',
  WaitingForHook: 'The hook of a step has no verdict yet.',
  NoHookController: 'No controller has taken up a HookRun for 30 seconds.',
  HookTemplateMissing: 'A hook names a HookTemplate that does not exist.',
  HookTemplateInvalid: 'A hook names a HookTemplate that no run can work with.',
  HookArgMissing: 'A HookTemplate has an argument without a value.',
  Aborted: 'A failed hook or a user has taken the release back to the stable revision.',
  WaitingForPodHook: 'A pod waits for the verdict of its hook.',
  PodHookFailed: 'The hook of a pod failed, and the pod stays as it is.',
  PodHookDeadline: 'The hook of a pod has not passed before its deadline.',
  InPlaceUpdateStuck: 'The containers of a pod were not replaced before the deadline of its update in place.',
  InPlaceImpossible: 'A change of the template cannot be made in place.',
  HotPatchUnsupported: 'The node of a pod does not support hot patches.',
  BlockedByDisruptionBudget: 'A PodDisruptionBudget does not allow another restart now.',
  MaxUnavailableReached: 'As many pods are out of service as maxUnavailable allows.',
  WaitingForDeletion: 'With OnDelete a pod takes the new revision only after a user deletes it.',
  FailedCreate: 'The server refuses to create a pod.',
  FailedDelete: 'The server refuses to delete a pod.',
  FailedUpdate: 'The API server does not confirm a write of a pod or HookRun, so nothing is decided.',
  InvalidSpec: 'Fields of the spec contradict each other in a way that the schema cannot detect.',
  ProgressDeadlineExceeded: 'There was no progress for progressDeadlineSeconds.',
} as const;

export type BlockerReason = keyof typeof blockerReasons;

/** A reason, and a message with the object, the cause and the remedy. */
export type Blocker = { readonly reason: BlockerReason; readonly message: string };
