import { millis, seconds, type Clock } from '#base/time.ts';
import type { Desk } from './desk.ts';
import { jobName } from './run-job-task.ts';
import type { Running } from './start-task.ts';

/** Longer than any grace between TERM and KILL needs to be. */
const patience = seconds(60);

/** Ends all jobs on their nodes and waits until they are gone; nodes that do not answer are left to a resume. */
export async function cancelTasks(
  { doors: { clock } }: Desk,
  { running, hurry }: { readonly running: ReadonlySet<Running>; readonly hurry: AbortController },
): Promise<void> {
  const giveUp = clock.after(patience, () => hurry.abort(new Error('the node did not answer')));
  await Promise.all([...running].map((task) => cancelTask(task, clock, hurry.signal)));
  giveUp();
}

/** Again and again: the job may be on its way to the node while it is cancelled there. */
async function cancelTask(
  { step, attempt, hand, isJob, ended }: Running,
  clock: Clock,
  hurry: AbortSignal,
): Promise<void> {
  const over = ended.then(
    () => 'over' as const,
    () => 'over' as const,
  );
  let seen: 'over' | undefined = isJob ? undefined : await over;
  while (seen === undefined && !hurry.aborted) {
    await hand
      .machine()
      .cancel(jobName(step, attempt), hurry)
      .catch(() => undefined);
    seen = await Promise.race([over, clock.sleep(millis(300), hurry).then(nothing, nothing)]);
  }
  await over;
}

const nothing = (): undefined => undefined;
