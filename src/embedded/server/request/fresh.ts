import { seconds } from '#base/time.ts';
import { ApiError } from '#kube/status.ts';
import type { ServerContext } from './call.ts';
import { parseRevision } from './list-options.ts';

const patience = seconds(3);

/** Waits until the store has reached the client's revision; throws a timeout if it does not. */
export async function freshEnough(context: ServerContext, revision: string | undefined): Promise<void> {
  if (revision === undefined) return;
  const wanted = parseRevision(revision);
  const { store, clock } = context;
  if (store.revision >= wanted) return;
  const reached = await new Promise<boolean>((resolve) => {
    const cancel = clock.after(patience, () => finish(false));
    const unsubscribe = store.subscribe(() => {
      if (store.revision >= wanted) finish(true);
    });
    const finish = (result: boolean): void => {
      cancel();
      unsubscribe();
      resolve(result);
    };
  });
  if (!reached) throw tooLarge(revision, store.revision);
}

const tooLarge = (revision: string, current: number): ApiError =>
  new ApiError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${revision}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
