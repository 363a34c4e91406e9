import type { Policy } from './model.ts';
import type { MachinePlan } from './plan.ts';

/** How often a command repeats what fails. Default of --retries. */
export const usualRetries = 10;

/** The same plan, where what fails is tried again so many times at most; a controller has no such limit. */
export const withRetries = (plan: MachinePlan, max: number): MachinePlan => ({
  ...plan,
  stages: plan.stages.map((stage) => ({
    ...stage,
    steps: stage.steps.map((step) => ({ ...step, policy: bounded(step.policy, max) })),
  })),
});

const bounded = (policy: Policy, max: number): Policy =>
  policy.onFailure === 'retry' ? { ...policy, retry: { ...policy.retry, max } } : policy;
