/** A kubeconfig cannot be used. The message names files, contexts and fields, never their secrets. */
export class KubeconfigInvalid extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'KubeconfigInvalid';
  }
}
