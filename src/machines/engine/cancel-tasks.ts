import { millis, seconds, type Clock } from '#base/time.ts';
import type { Running } from './engine-run.ts';
import type { OperationLog } from './operation-log.ts';

/** Longer than any grace between TERM and KILL needs to be. */
const patience = seconds(60);

/** Ends all jobs on their nodes and waits until they are gone; nodes that do not answer are left to a resume. */
export async function cancelTasks(
  { io: { clock } }: OperationLog,
  { running, hurry }: { readonly running: ReadonlySet<Running>; readonly hurry: AbortController },
): Promise<void> {
  const giveUp = clock.after(patience, () => hurry.abort(new Error('the node did not answer')));
  await Promise.all([...running].map((task) => cancelTask(task, clock, hurry.signal)));
  giveUp();
}

/** Repeats the cancellation: the job may still be starting on the node. Nothing is started after it. */
async function cancelTask(
  { session, job, stop, ended }: Running,
  clock: Clock,
  hurry: AbortSignal,
): Promise<void> {
  const over = ended.then(
    () => 'over' as const,
    () => 'over' as const,
  );
  const gone = new Promise<undefined>((resolve) => {
    if (hurry.aborted) resolve(undefined);
    hurry.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  stop.abort(new Error('interrupted'));
  let seen: 'over' | undefined;
  while (seen === undefined && !hurry.aborted) {
    const name = job();
    if (name === undefined) {
      seen = await Promise.race([over, gone]);
      continue;
    }
    const asked = session.machine().cancel(name, hurry);
    await Promise.race([asked.then(nothing, nothing), gone]);
    seen = await Promise.race([over, clock.sleep(millis(300), hurry).then(nothing, nothing)]);
  }
  if (seen === 'over') return;
  // A request that a machine does not answer ends with the connection.
  session.machine().close();
}

const nothing = (): undefined => undefined;
