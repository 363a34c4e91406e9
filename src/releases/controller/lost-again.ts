import { reasonOf } from '#loop/report.ts';

/** What the status of a workload says while the answers to its writes are lost. */
export type LostAgain = { readonly reason: 'FailedUpdate'; readonly message: string };

export const lostAgain = (error: unknown): LostAgain => ({
  reason: 'FailedUpdate',
  message: `A write of a pod or HookRun is not confirmed, and the controller decides nothing before it is: ${reasonOf(error)}. It tries again at least every 10 s. Look at the API server, admission webhooks, policies and RBAC.`,
});
