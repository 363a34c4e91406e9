import { minutes, seconds, type Millis } from '#base/time.ts';
import { isRemoval, type OperationKind, type Policy, type Retry } from './model.ts';

/** Bytes kept of each stream of a job, on the node and here: what fifty nodes send at once must fit an operator. */
export const keptOutput = 1024 * 1024;

/** TKEStack retries without limit; here the pauses grow. */
const patient: Retry = { initial: seconds(1), factor: 2, cap: minutes(5) };
/** The installer of TKEStack retries every ten seconds. */
const steady: Retry = { initial: seconds(10), factor: 1, cap: seconds(10) };

const base = { outputLimit: keptOutput, retry: patient } as const;

/** TKEStack's seed obliges scripts to be idempotent, so an unknown end may be run again. */
export const tkestackPolicy = (timeout: Millis | undefined, force = false): Policy => ({
  ...base,
  ...limit(timeout),
  onFailure: force ? 'ignore' : 'retry',
  onUnknown: 'rerun',
});

export const bootstrapPolicy = (timeout: Millis | undefined): Policy => ({
  ...base,
  ...limit(timeout),
  onFailure: 'retry',
  retry: steady,
  onUnknown: 'rerun',
});

/** eggo: creation stops, a joining node is skipped, removal continues. */
export function eggoPolicy(operation: OperationKind, timeout: Millis): Policy {
  const removal = isRemoval(operation);
  const onFailure = removal ? 'ignore' : operation === 'node.join' ? 'isolate-node' : 'abort';
  return { ...base, timeout, onFailure, onUnknown: removal ? 'rerun' : 'fail' };
}

/** Steps that may simply be done again: files, removals, fetching, and what an installer does. */
export const repeatable = (onFailure: Policy['onFailure'], timeout?: Millis): Policy => ({
  ...base,
  ...limit(timeout),
  onFailure,
  onUnknown: 'rerun',
});

export const eggoFlagTimeout = seconds(60);
export const eggoItemTimeout = seconds(30);
export const installTimeout = minutes(30);

const limit = (timeout: Millis | undefined): { timeout?: Millis } =>
  timeout === undefined ? {} : { timeout };
