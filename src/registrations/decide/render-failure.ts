/** Why an instance cannot be rendered. */
export type RenderFailure = {
  readonly type: 'failed';
  readonly reason: 'RENDERFAILED' | 'REFERENCEREFUSED' | 'ADDRESSUNRESOLVED' | 'CONFIGMISSING';
  readonly message: string;
};

export const failed = (reason: RenderFailure['reason'], message: string): RenderFailure => ({
  type: 'failed',
  reason,
  message,
});
