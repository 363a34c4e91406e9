import { millis, type Millis } from '#base/time.ts';
import { parseSpan } from './span.ts';

/** The simulated result of a probe over the time since its container started. */
export type ProbeOutcome =
  | { readonly type: 'ok' | 'fail' }
  | { readonly type: 'fail-first' | 'fail-after' | 'flap'; readonly span: Millis };

export const alwaysOk: ProbeOutcome = { type: 'ok' };

/** Reads `ok`, `fail`, `flap` (every 10 s), `flap:5s`, `fail-first:20s`, `fail-after:1m`. */
export function parseOutcome(text: string): ProbeOutcome | undefined {
  const [type = '', rest] = text.split(':', 2);
  if (rest === undefined) {
    if (type === 'ok' || type === 'fail') return { type };
    return type === 'flap' ? { type, span: millis(10_000) } : undefined;
  }
  const span = parseSpan(rest);
  if (span === undefined || span === 0) return undefined;
  return type === 'fail-first' || type === 'fail-after' || type === 'flap' ? { type, span } : undefined;
}

/** Whether a probe succeeds at a time after the start. */
export function succeeds(outcome: ProbeOutcome, since: Millis): boolean {
  switch (outcome.type) {
    case 'ok':
      return true;
    case 'fail':
      return false;
    case 'fail-first':
      return since >= outcome.span;
    case 'fail-after':
      return since < outcome.span;
    case 'flap':
      return Math.floor(since / outcome.span) % 2 === 0;
  }
}

/** When the result next changes, as time since the start; undefined when it never does. */
export function nextChange(outcome: ProbeOutcome, since: Millis): Millis | undefined {
  switch (outcome.type) {
    case 'ok':
    case 'fail':
      return undefined;
    case 'fail-first':
    case 'fail-after':
      return since < outcome.span ? outcome.span : undefined;
    case 'flap':
      return millis((Math.floor(since / outcome.span) + 1) * outcome.span);
  }
}

/** The same outcome on a scaled clock. */
export const scaledOutcome = (outcome: ProbeOutcome, scale: number): ProbeOutcome =>
  'span' in outcome ? { ...outcome, span: millis(outcome.span * scale) } : outcome;
