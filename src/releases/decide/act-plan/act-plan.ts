import type { ActTarget, ActVerb } from '#releases/model/act.ts';

/** What a person can ask of a release. */
export const releaseVerbs = ['promote', 'pause', 'resume', 'abort', 'retry'] as const;
export type ReleaseVerb = (typeof releaseVerbs)[number];

export type ActOptions = {
  /** How messages name the workload: `gd/shop`. */
  readonly title: string;
  /** Of promote: the step at which it ends, counted from 1; `full`: the end of the release. */
  readonly toStep?: number | 'full' | undefined;
  /** Of promote: hooks of the steps that it passes are skipped. */
  readonly skipHooks?: boolean | undefined;
  /** The state that the act is meant for, as `identityOf` gives it. In another state nothing is changed. */
  readonly expect?: string | undefined;
};

/** What must be written so that the act happens. */
export type ActChange =
  | {
      readonly type: 'act';
      readonly verb: ActVerb;
      readonly target: ActTarget;
      readonly toStep?: number;
      readonly skipHooks?: true;
    }
  | { readonly type: 'paused'; readonly paused: boolean; readonly revision: string };

export type ActPlan =
  /** `summary` follows the words "a request to". */
  | { readonly type: 'write'; readonly change: ActChange; readonly summary: string }
  /** The same request is written already, and no controller has acted on it yet. */
  | { readonly type: 'pending'; readonly id: string; readonly by: string; readonly summary: string }
  /** Nothing needs to be done. `isWaiting`: the release still waits for a user, who must use another verb. */
  | { readonly type: 'nothing'; readonly message: string; readonly isWaiting: boolean }
  /** The act makes no sense in this state. */
  | { readonly type: 'refused'; readonly message: string }
  /** The options do not fit the workload. */
  | { readonly type: 'invalid'; readonly message: string };

export const nothing = (message: string): ActPlan => ({ type: 'nothing', message, isWaiting: false });
export const stillWaiting = (message: string): ActPlan => ({ type: 'nothing', message, isWaiting: true });
export const refused = (message: string): ActPlan => ({ type: 'refused', message });
export const invalid = (message: string): ActPlan => ({ type: 'invalid', message });

/** A command as a person types it. */
export const command = (verb: string, { title }: Pick<ActOptions, 'title'>): string =>
  `boathook release ${verb} ${title}`;
