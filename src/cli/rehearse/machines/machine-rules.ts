import { parseDuration } from '#base/duration.ts';
import type { Millis } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';

/** `--step pre-upgrade=30s`: how long the scripts of a step take. */
export type StepSpan = { readonly step: string; readonly span: Millis };

/** `--fail m1:post-install`: scripts that fail. */
export type ScriptedFailure = {
  /** `*`: every machine. */
  readonly node: string;
  readonly step: string;
  readonly how:
    | { readonly type: 'always' }
    /** So many attempts fail, all later ones do not. */
    | { readonly type: 'times'; readonly times: number }
    /** Each attempt fails with this probability. */
    | { readonly type: 'share'; readonly share: number };
};

/** `--machine m2=crash@pre-upgrade`: machines that misbehave. */
export type MachineTrouble = { readonly node: string } & (
  | { readonly type: 'down'; readonly step?: string }
  /** It boots and is back a minute later. */
  | { readonly type: 'crash'; readonly step: string }
  | { readonly type: 'slow'; readonly factor: number }
);

export type MachineRules = {
  readonly spans: readonly StepSpan[];
  readonly failures: readonly ScriptedFailure[];
  readonly troubles: readonly MachineTrouble[];
};

export function spansOf(given: readonly string[]): readonly StepSpan[] {
  return given.map((text) => {
    const [, step, value = ''] = /^([^=]+)=(\S+)$/.exec(text) ?? [];
    const span = parseDuration(value);
    if (step === undefined || span === undefined)
      throw new ExitError(2, `--step ${text} is not STEP=DURATION, such as PreUpgrade=30s`);
    return { step, span };
  });
}

export function failuresOf(given: readonly string[]): readonly ScriptedFailure[] {
  return given.map((text) => {
    const [, node, step, , times, percent] =
      /^([^:]+):([^:]+)(:(?:(\d{1,4})|(\d{1,3}(?:\.\d+)?)%))?$/.exec(text) ?? [];
    const isShare = percent !== undefined && Number(percent) <= 100;
    if (node === undefined || step === undefined || (percent !== undefined && !isShare))
      throw new ExitError(
        2,
        `--fail ${text} is not understood: write MACHINE:STEP, MACHINE:STEP:2 for two attempts, or MACHINE:STEP:5%; * is every machine`,
      );
    if (isShare) return { node, step, how: { type: 'share', share: Number(percent) / 100 } };
    return {
      node,
      step,
      how: times === undefined ? { type: 'always' } : { type: 'times', times: Number(times) },
    };
  });
}

export function troublesOf(given: readonly string[]): readonly MachineTrouble[] {
  return given.map((text) => {
    const [, node = '', what = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    const [, type, step] = /^(down|crash)(?:@(.+))?$/.exec(what) ?? [];
    const factor = /^slow:(\d{1,4}(?:\.\d+)?)$/.exec(what)?.[1];
    if (type === 'down') return { node, type, ...(step !== undefined && { step }) };
    if (type === 'crash' && step !== undefined) return { node, type, step };
    if (factor !== undefined && Number(factor) > 0) return { node, type: 'slow', factor: Number(factor) };
    throw new ExitError(
      2,
      `--machine ${text} is not understood: write NAME=down, NAME=down@STEP, NAME=crash@STEP or NAME=slow:3`,
    );
  });
}
