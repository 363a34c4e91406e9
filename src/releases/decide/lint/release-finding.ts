/** A mistake in the manifest of a workload. */
export type ReleaseFinding = {
  /** Error: the server refuses it, or a release cannot end. Warning: it is probably not intended. */
  readonly severity: 'error' | 'warning';
  /** Names the check, in one word. */
  readonly rule: string;
  readonly path: string;
  readonly message: string;
  /** What to do. */
  readonly remedy?: string;
};

export const asWarning = (finding: Omit<ReleaseFinding, 'severity'>): ReleaseFinding => ({
  severity: 'warning',
  ...finding,
});

export const asError = (finding: Omit<ReleaseFinding, 'severity'>): ReleaseFinding => ({
  severity: 'error',
  ...finding,
});
