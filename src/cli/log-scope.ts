import type { LogShard } from '#command/logs/published-endpoint.ts';

/** The controllers whose logs are served, and the part of the objects that they reconcile; all unless given. */
export type LogScope = { readonly names: ReadonlySet<string>; readonly shard?: LogShard };
