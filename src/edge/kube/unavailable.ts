/** The API server is unreachable or failed: the same request may succeed later. */
export class Unavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Unavailable';
  }
}

/** A short reason: the system's error code where there is one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if ('code' in error && typeof error.code === 'string') return `${error.message} (${error.code})`;
  return error.message;
}
