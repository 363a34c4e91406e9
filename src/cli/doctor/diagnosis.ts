/** What one check of `boathook doctor` found. */
export type Diagnosis = {
  readonly check: 'version' | 'kinds' | 'rights' | 'controllers' | 'leader' | 'clock' | 'hooks' | 'others';
  readonly state: 'ok' | 'warning' | 'failed' | 'unknown';
  /** One sentence. */
  readonly message: string;
  /** What to do about it; undefined when nothing needs to be done. */
  readonly remedy?: string;
};

/** A problem makes the command fail; a warning and what could not be checked do not. */
export const isHealthy = (diagnoses: readonly Diagnosis[]): boolean =>
  diagnoses.every(({ state }) => state !== 'failed');
