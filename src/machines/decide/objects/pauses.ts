import { listAt, textAt, type Json } from '#base/json.ts';
import { gatesOf } from '#machines/read.ts';
import { isBad } from '#hooks/decide/run-phase.ts';
import type { KubeObject } from '#kube/object.ts';
import { betweenBatches } from './hook-entries.ts';

export type PauseReason = 'PausedByUser' | 'PausedByStepBasedHook';

type Run = (namespace: string, name: string) => KubeObject | undefined;

/** Whether `status.pauseConditions` comes from a bad verdict. */
export const isPausedByHook = (pauses: Json | undefined): boolean =>
  listAt({ pauses: pauses ?? [] }, 'pauses').some(
    (each) => textAt(each, 'reason') === 'PausedByStepBasedHook',
  );

/** The pauses that an operation keeps: when a user resumes it, it passes the bad verdict. */
export function pausesLeft(object: KubeObject): Json | undefined {
  const pauses = listAt(object, 'status', 'pauseConditions');
  return isPausedByHook(pauses) ? pauses : undefined;
}

/** The reason of a pause that the status does not have: a controller may have stopped between the two writes. */
export function pauseReason(object: KubeObject, run: Run): PauseReason {
  const isHeld = gatesOf(object).some(({ name, state, namespace = '', run: asked = '' }) => {
    const found = state === 'Asked' && isBetween(name) ? run(namespace, asked) : undefined;
    return found !== undefined && isBad(found);
  });
  return isHeld ? 'PausedByStepBasedHook' : 'PausedByUser';
}

/** A gate is named after its step, and that after its hook. */
const isBetween = (name: string): boolean => name.includes(`/${betweenBatches}@`);

export const pauseTexts: Readonly<Record<PauseReason, string>> = {
  PausedByUser: 'Paused by a user: set spec.paused to false to resume.',
  PausedByStepBasedHook:
    'A HookRun between two batches did not succeed: set spec.paused to false to continue with the next batch.',
};
