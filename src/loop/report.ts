import type { Json } from '#base/json.ts';

/** A constant message, and what it is about. */
export type Report = (message: string, fields: Readonly<Record<string, Json>>) => void;

export const reportNothing: Report = () => undefined;

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
