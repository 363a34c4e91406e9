import type { HookPhase } from '#registrations/kinds/hook.ts';
import { shortened } from '#hooks/decide/shortened.ts';
import { applyReply } from './apply-reply.ts';
import { failuresOf, type Children, type InstanceSnapshot, type ReconcileStep } from './cycle.ts';
import { hookRequest } from './hook-request.ts';
import { withPlaceholderConditions } from './placeholder-conditions.ts';
import { controlledChildren } from './live-children.ts';
import { renderInstance, type RenderedInstance } from './render-instance.ts';
import { hasPhase, phaseReplyOf, type PhaseReply } from './phase-reply.ts';

export type Shaped = {
  /** Before the hook changes them. */
  readonly rendered: RenderedInstance;
  readonly phaseReplies: readonly PhaseReply[];
} & (
  | { readonly type: 'ask'; readonly step: Extract<ReconcileStep, { type: 'call' }> }
  /** The last reply halts, or rendering failed. */
  | { readonly type: 'stopped' }
  | { readonly type: 'shaped'; readonly children: Children }
);

/** The phase pre-reconcile, rendering, and the phase post-reconcile, up to the first call that is missing. */
export function shapeChildren(snapshot: InstanceSnapshot): Shaped {
  const rendered = renderInstance(snapshot);
  const preview = rendered.type === 'rendered' ? rendered.children : undefined;
  const before = runPhase(snapshot, 'pre-reconcile', preview);
  if (before.type === 'ask') return { ...before, rendered, phaseReplies: [] };
  const first = before.phaseReply === undefined ? [] : [before.phaseReply];
  if (isHalted(before.phaseReply) || before.children === undefined)
    return { type: 'stopped', rendered, phaseReplies: first };
  const after = runPhase(snapshot, 'post-reconcile', before.children);
  if (after.type === 'ask') return { ...after, rendered, phaseReplies: first };
  const phaseReplies = after.phaseReply === undefined ? first : [...first, after.phaseReply];
  if (isHalted(after.phaseReply) || after.children === undefined)
    return { type: 'stopped', rendered, phaseReplies };
  return { type: 'shaped', rendered, phaseReplies, children: after.children };
}

const isHalted = (phaseReply: PhaseReply | undefined): boolean => phaseReply?.fault?.halt === true;

type PhaseOutcome =
  | { readonly type: 'ask'; readonly step: Extract<ReconcileStep, { type: 'call' }> }
  | {
      readonly type: 'spoken';
      readonly phaseReply: PhaseReply | undefined;
      readonly children: Children | undefined;
    };

/** The children after one phase, or the call that must be made first. */
function runPhase(
  snapshot: InstanceSnapshot,
  phase: HookPhase,
  children: Children | undefined,
): PhaseOutcome {
  const { registration, instance } = snapshot;
  if (!hasPhase(registration, phase)) return { type: 'spoken', phaseReply: undefined, children };
  const phaseReply = phaseReplyOf(snapshot, phase);
  if (phaseReply === undefined) return { type: 'ask', step: callStep(snapshot, phase, children) };
  if (phaseReply.fault !== undefined || children === undefined)
    return { type: 'spoken', phaseReply, children };
  const patched = applyReply({ registration, instance, children }, phaseReply.reply);
  if (patched.type === 'patched') return { type: 'spoken', phaseReply, children: patched.children };
  const fault = {
    reason: 'PATCHINVALID',
    message: shortened(patched.message),
    permanent: false,
    halt: true,
    retryAfter: undefined,
  } as const;
  return { type: 'spoken', phaseReply: { ...phaseReply, fault }, children };
}

export function callStep(
  snapshot: InstanceSnapshot,
  phase: HookPhase,
  children: Children | undefined,
): Extract<ReconcileStep, { type: 'call' }> {
  const { registration } = snapshot;
  const isFull = registration.hook?.payload === 'full';
  const instance = isFull ? withPlaceholderConditions(snapshot) : snapshot.instance;
  const observed = Object.values(controlledChildren(snapshot));
  const request = hookRequest({
    registration,
    instance,
    phase,
    children,
    observed,
    attempt: failuresOf(snapshot) + 1,
  });
  return { type: 'call', phase, request };
}
