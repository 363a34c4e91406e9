import type { Json } from '#base/json.ts';

/** A constant message, and what it is about. */
export type Log = (message: string, fields: Readonly<Record<string, Json>>) => void;
