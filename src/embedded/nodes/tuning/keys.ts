import { parseTime, type Instant, type Millis } from '#base/time.ts';
import { parseOutcome, type ProbeOutcome } from './probe-outcome.ts';
import { parseSpan } from './span.ts';

/** The settings of a container: every key with the type of its value. */
export type Tuning = {
  readonly 'pull-delay': Millis;
  readonly pull: 'ok' | 'error' | 'invalid';
  readonly 'start-delay': Millis;
  readonly 'ready-delay': Millis;
  readonly 'run-duration': Millis;
  readonly 'crash-after': Millis;
  readonly 'crash-at': Instant;
  readonly 'crash-count': number;
  readonly 'exit-code': number;
  readonly 'exit-reason': string;
  readonly probe: ProbeOutcome;
  readonly 'liveness-probe': ProbeOutcome;
  readonly 'startup-probe': ProbeOutcome;
  readonly 'poststart-duration': Millis;
  readonly 'prestop-duration': Millis;
  readonly 'term-duration': Millis;
  readonly 'term-exit-code': number;
  readonly 'log-line': string;
};
export type TuningKey = keyof Tuning;

type Form<Value> = { readonly form: string; readonly parse: (text: string) => Value | undefined };
export type TuningRow<Value> = Form<Value> & { readonly example: string; readonly meaning: string };

const span: Form<Millis> = { form: 'a span such as `250ms`, `5s`, `1m30s`', parse: parseSpan };
const outcome: Form<ProbeOutcome> = {
  form: '`ok`, `fail`, `flap`, `flap:SPAN`, `fail-first:SPAN` or `fail-after:SPAN`',
  parse: parseOutcome,
};
const whole = (least: number, most: number): Form<number> => ({
  form: `a whole number from ${least} to ${most}`,
  parse: (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  },
});
const pulls = ['ok', 'error', 'invalid'] as const;

/** All settings; the reference page and the validation are derived from this table. */
export const tuningTable: { readonly [Key in TuningKey]: TuningRow<Tuning[Key]> } = {
  'pull-delay': { ...span, example: '2s', meaning: 'How long pulling the image takes.' },
  pull: {
    form: '`ok`, `error` or `invalid`',
    parse: (text) => pulls.find((each) => each === text),
    example: 'error',
    meaning: 'Whether the image can be pulled; `error` backs off and tries again.',
  },
  'start-delay': { ...span, example: '1s', meaning: 'Time from the pulled image to the running container.' },
  'ready-delay': { ...span, example: '5s', meaning: 'How long after its start the container is not ready.' },
  'run-duration': {
    ...span,
    example: '30s',
    meaning: 'How long the container runs before it ends by itself.',
  },
  'crash-after': { ...span, example: '10s', meaning: 'How long the container runs before it crashes.' },
  'crash-at': {
    form: 'a time in RFC 3339',
    parse: parseTime,
    example: '2026-11-15T04:47:49Z',
    meaning: 'A container that started before this time crashes at it, once.',
  },
  'crash-count': {
    ...whole(1, 1_000_000),
    example: '3',
    meaning: 'How many runs end by `crash-after`; later runs do not. Without it all runs do.',
  },
  'exit-code': {
    ...whole(0, 255),
    example: '1',
    meaning: 'The exit code; 1 after a crash and 0 after a normal run by default.',
  },
  'exit-reason': {
    form: 'a word such as `OOMKilled`',
    parse: (text) => (/^[A-Z][A-Za-z]{0,62}$/.test(text) ? text : undefined),
    example: 'OOMKilled',
    meaning: 'The reason in its terminated state; `Completed` or `Error` by its code otherwise.',
  },
  probe: {
    ...outcome,
    example: 'flap:20s',
    meaning: 'The result of its readiness probe, even if it has none.',
  },
  'liveness-probe': { ...outcome, example: 'fail-after:1m', meaning: 'The result of its liveness probe.' },
  'startup-probe': { ...outcome, example: 'fail-first:20s', meaning: 'The result of its startup probe.' },
  'poststart-duration': { ...span, example: '1s', meaning: 'How long its postStart hook takes.' },
  'prestop-duration': {
    ...span,
    example: '3s',
    meaning: 'How long its preStop hook takes; a `sleep` in the hook is honoured without it.',
  },
  'term-duration': {
    ...span,
    example: '3s',
    meaning: 'Time from SIGTERM to the end; it is killed after the grace period.',
  },
  'term-exit-code': {
    ...whole(0, 255),
    example: '143',
    meaning: 'The exit code after SIGTERM; 0 by default.',
  },
  'log-line': {
    form: 'any text; several lines are several log lines',
    parse: (text) => text,
    example: 'listening on :8080',
    meaning: 'What the container prints when it starts.',
  },
};

export const isTuningKey = (key: string): key is TuningKey => Object.hasOwn(tuningTable, key);
