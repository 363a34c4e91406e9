import type { Step, StepHook } from '#releases/kinds/canary.ts';

/** A canary step as exactly one thing. */
export type StepKind =
  | { readonly type: 'partition' }
  | { readonly type: 'pause' }
  | { readonly type: 'hook'; readonly hook: StepHook }
  /** It has none of the fields above, or more than one field: a newer version may have written it. */
  | { readonly type: 'unknown'; readonly fields: readonly string[] };

export function stepKindOf(step: Step): StepKind {
  const fields = Object.keys(step).filter((name) => step[name as keyof Step] !== undefined);
  const [field, ...others] = fields;
  if (others.length === 0) {
    if (field === 'partition' || field === 'pause') return { type: field };
    if (field === 'hook' && step.hook !== undefined) return { type: 'hook', hook: step.hook };
  }
  return { type: 'unknown', fields };
}
