import type { GateStatus } from '#machines/kinds/operation-status.ts';
import type { HookGateDecision } from './gate.ts';
import type { OperationNote } from './operation-events.ts';
import type { Gate } from './segments.ts';

/** The Events about a gate that has passed or failed. */
export function gateNotes(
  { hook }: Gate,
  before: GateStatus | undefined,
  { after, hold }: HookGateDecision,
): readonly OperationNote[] {
  const isNew = after?.state === 'Passed' && before?.state !== 'Passed';
  const message = `${hook} has passed (HookRun ${before?.run ?? ''}).`;
  return [
    ...(isNew ? [{ type: 'Normal', reason: 'HookSucceeded', message } as const] : []),
    ...(hold?.isBad === true
      ? [{ type: 'Warning', reason: 'HookFailed', message: hold.message } as const]
      : []),
  ];
}
