/** The cluster could not be asked, or could not answer: the same request may succeed later. */
export class Unavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Unavailable';
  }
}

/** What is wrong, in few words: the system's code where there is one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if ('code' in error && typeof error.code === 'string') return `${error.message} (${error.code})`;
  return error.message;
}
