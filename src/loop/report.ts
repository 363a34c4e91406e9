import type { Json } from '#base/json.ts';
import type { Level } from '#edge/log.ts';

/**
 * A constant message, what it is about, and how much it matters. `info`: a state changed; `warn`: it is tried again;
 * `error`: a user must act; `debug`: the rest.
 */
export type Report = (message: string, fields: Readonly<Record<string, Json>>, level: Level) => void;

export const reportNothing: Report = () => undefined;

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const programErrors = [TypeError, RangeError, ReferenceError, SyntaxError] as const;

/** What a report says of an error: why, and `error`, its type, when it is a mistake in the program. */
export const aboutError = (error: unknown): { readonly why: string; readonly error?: string } => ({
  why: reasonOf(error),
  ...(programErrors.some((type) => error instanceof type) && { error: (error as Error).name }),
});
