/** How a word is shown. The icon has the same meaning as the colour. */
export type StatusTone = 'good' | 'running' | 'waiting' | 'bad' | 'quiet';

export type StatusMeaning = { readonly tone: StatusTone; readonly meaning: string };
type KnownWord = StatusMeaning & { readonly isKnown: boolean };

const means = (tone: StatusTone, meaning: string): KnownWord => ({ tone, meaning, isKnown: true });

/** The status words of releases, hook runs, clusters, registrations and pods. */
const words: Readonly<Record<string, KnownWord>> = {
  Complete: means('good', 'All pods have the new revision and are in service.'),
  Progressing: means('running', 'The release continues by itself.'),
  Paused: means(
    'waiting',
    'The release has stopped at a pause or at a hook. A pause without a time waits for a user.',
  ),
  Blocked: means('bad', 'Something keeps the release from continuing; the message names it.'),
  Aborted: means('bad', 'The pods were taken back to the stable revision.'),
  RolledBack: means('quiet', 'The template was set back to the stable revision.'),
  Replaced: means('quiet', 'A newer template replaced this release before it was complete.'),
  Pending: means('quiet', 'Nothing has started yet.'),
  Running: means('running', 'It runs: a hook is being called, or a cluster or pod is at work.'),
  Successful: means('good', 'The hook passed: every metric met its condition.'),
  Succeeded: means('good', 'It has ended without an error.'),
  Failed: means('bad', 'A value did not meet its condition, or a step ended with an error.'),
  Error: means('bad', 'The call itself failed too often: no usable value was returned.'),
  Inconclusive: means(
    'waiting',
    'The values meet neither the condition of success nor that of failure. A user decides.',
  ),
  Initializing: means('running', 'The cluster is being installed.'),
  Upgrading: means('running', 'The cluster is being changed to another version.'),
  Upscaling: means('running', 'Masters are joining the cluster.'),
  Downscaling: means('running', 'Masters are leaving the cluster.'),
  HookUnhealthy: means('bad', 'The hook of the registration cannot be called; the message names the cause.'),
  Terminating: means('running', 'It is being deleted.'),
  Ready: means('good', 'It is in service.'),
  NotReady: means('bad', 'It is not in service; the message names the cause.'),
  True: means('good', 'The condition is met.'),
  False: means('quiet', 'The condition is not met.'),
  Unknown: means('waiting', 'Whether the condition is met is not known.'),
  done: means('good', 'It has been executed.'),
  running: means('running', 'It is being executed now.'),
  ended: means('quiet', 'The script has ended. The grid shows how.'),
  current: means('running', 'The release is at this step.'),
  failed: means('bad', 'It did not succeed.'),
  skipped: means('quiet', 'It was left out.'),
  waiting: means('quiet', 'It has not started yet.'),
  'to come': means('quiet', 'The release has not reached this step.'),
  CrashLoopBackOff: means(
    'bad',
    'A container ends again and again; Kubernetes waits longer before each restart.',
  ),
  ImagePullBackOff: means('bad', 'The image could not be pulled; Kubernetes tries again later.'),
  ErrImagePull: means('bad', 'The image could not be pulled.'),
  ContainerCreating: means('running', 'The containers are being started.'),
};

const unknown: KnownWord = {
  tone: 'quiet',
  meaning: 'A status that this page has no description of.',
  isKnown: false,
};

export const meaningOf = (word: string): KnownWord =>
  Object.hasOwn(words, word) ? (words[word] ?? unknown) : unknown;
