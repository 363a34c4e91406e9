import type { Phase } from '#registrations/kinds/hook.ts';
import { shortened } from '#hooks/decide/shortened.ts';
import { applyReply } from './apply-reply.ts';
import { failuresOf, type Children, type CycleFacts, type Step } from './cycle.ts';
import { hookRequest } from './hook-request.ts';
import { withKnownConditions } from './known-conditions.ts';
import { controlledChildren } from './live-children.ts';
import { renderInstance, type Rendered } from './render-instance.ts';
import { isAsked, voiceOf, type Voice } from './voices.ts';

export type Shaped = {
  /** As they were before the hook had its say. */
  readonly rendered: Rendered;
  readonly voices: readonly Voice[];
} & (
  | { readonly type: 'ask'; readonly step: Extract<Step, { type: 'call' }> }
  /** The last voice says so, or rendering failed. */
  | { readonly type: 'stopped' }
  | { readonly type: 'shaped'; readonly children: Children }
);

/** pre-reconcile, rendering, post-reconcile (§6.1), as far as what is known allows. */
export function shapeChildren(facts: CycleFacts): Shaped {
  const rendered = renderInstance(facts);
  const preview = rendered.type === 'rendered' ? rendered.children : undefined;
  const before = speak(facts, 'pre-reconcile', preview);
  if (before.type === 'ask') return { ...before, rendered, voices: [] };
  const first = before.voice === undefined ? [] : [before.voice];
  if (isHalted(before.voice) || before.children === undefined)
    return { type: 'stopped', rendered, voices: first };
  const after = speak(facts, 'post-reconcile', before.children);
  if (after.type === 'ask') return { ...after, rendered, voices: first };
  const voices = after.voice === undefined ? first : [...first, after.voice];
  if (isHalted(after.voice) || after.children === undefined) return { type: 'stopped', rendered, voices };
  return { type: 'shaped', rendered, voices, children: after.children };
}

const isHalted = (voice: Voice | undefined): boolean => voice?.fault?.halt === true;

type Spoken =
  | { readonly type: 'ask'; readonly step: Extract<Step, { type: 'call' }> }
  | { readonly type: 'spoken'; readonly voice: Voice | undefined; readonly children: Children | undefined };

/** One phase: what it makes of the children, or the call that must be made first. */
function speak(facts: CycleFacts, phase: Phase, children: Children | undefined): Spoken {
  const { registration, instance } = facts;
  if (!isAsked(registration, phase)) return { type: 'spoken', voice: undefined, children };
  const voice = voiceOf(facts, phase);
  if (voice === undefined) return { type: 'ask', step: callStep(facts, phase, children) };
  if (voice.fault !== undefined || children === undefined) return { type: 'spoken', voice, children };
  const patched = applyReply({ registration, instance, children }, voice.reply);
  if (patched.type === 'patched') return { type: 'spoken', voice, children: patched.children };
  const fault = {
    reason: 'PATCHINVALID',
    message: shortened(patched.message),
    permanent: false,
    halt: true,
    retryAfter: undefined,
  } as const;
  return { type: 'spoken', voice: { ...voice, fault }, children };
}

export function callStep(
  facts: CycleFacts,
  phase: Phase,
  children: Children | undefined,
): Extract<Step, { type: 'call' }> {
  const { registration } = facts;
  const isFull = registration.hook?.payload === 'full';
  const instance = isFull ? withKnownConditions(facts) : facts.instance;
  const observed = Object.values(controlledChildren(facts));
  const request = hookRequest({
    registration,
    instance,
    phase,
    children,
    observed,
    attempt: failuresOf(facts) + 1,
  });
  return { type: 'call', phase, request };
}
