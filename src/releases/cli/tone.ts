import type { Tone } from '#command/styled-line.ts';
import type { StepState } from '#releases/decide/view/step-track.ts';

const phaseTones: Readonly<Record<string, Tone>> = {
  Complete: 'good',
  Successful: 'good',
  Progressing: 'busy',
  Running: 'busy',
  Paused: 'waiting',
  Inconclusive: 'waiting',
  RolledBack: 'waiting',
  Blocked: 'bad',
  Failed: 'bad',
  Error: 'bad',
  Aborted: 'bad',
};

/** The tone of a phase, a verdict or an outcome. */
export const toneOf = (phase: string): Tone | undefined => phaseTones[phase];

const phaseMarks: Readonly<Record<Tone, string>> = {
  good: '✔',
  bad: '✖',
  busy: '●',
  waiting: '●',
  faint: '○',
  strong: '●',
};

export const markOf = (phase: string): string => phaseMarks[toneOf(phase) ?? 'faint'];

export const stepTones: Readonly<Record<StepState, Tone>> = {
  done: 'good',
  current: 'busy',
  failed: 'bad',
  skipped: 'waiting',
  'to come': 'faint',
};

export const stepMarks: Readonly<Record<StepState, string>> = {
  done: '✔',
  current: '●',
  failed: '✖',
  skipped: '↷',
  'to come': '○',
};
