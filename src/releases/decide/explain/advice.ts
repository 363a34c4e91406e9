import type { BlockerReason } from '#releases/model/blocker.ts';
import { hookAdvice } from './advice-hooks.ts';
import type { Advice } from './advice-model.ts';
import { pauseAdvice } from './advice-pauses.ts';
import { podHookAdvice } from './advice-pod-hooks.ts';
import { podAdvice } from './advice-pods.ts';

/** For each reason: how it ends, and what a person can do. A new reason needs an entry to compile. */
const advice: Readonly<Record<BlockerReason, Advice>> = {
  ...pauseAdvice,
  ...hookAdvice,
  ...podHookAdvice,
  ...podAdvice,
};

/** Undefined for the reason of a release that waits for nothing. */
export const adviceFor = (reason: string): Advice | undefined =>
  Object.hasOwn(advice, reason) ? advice[reason as BlockerReason] : undefined;
