/** One revision of one object. `json` of a deletion is the object's last state. */
export type Row = {
  readonly revision: number;
  /** `group/plural`, such as `apps/deployments` or `/pods`. */
  readonly resource: string;
  /** `namespace/name`, or `/name` for cluster-scoped objects. */
  readonly key: string;
  readonly deleted: boolean;
  readonly json: string;
};

/** Rows to forget; `compacted` is the revision below which history is gone. */
export type Gone = { readonly revisions: readonly number[]; readonly compacted: number };

/**
 * The durable, append-only log of revisions. When `append` returns, the rows are on disk; when it throws, none
 * of them is, and its caller takes the same changes back in memory. All calls are synchronous on purpose:
 * between the change in memory and its durability nobody else can look.
 */
export type Journal = {
  /** Every stored row in the order of revisions, and the highest revision ever given away or compacted. */
  load(): { readonly rows: Iterable<Row>; readonly compacted: number };
  /** With `gone`, rows that nothing needs any more are forgotten in the same breath. */
  append(rows: readonly Row[], gone?: Gone): void;
  /** Forgets rows that nothing needs any more. */
  forget(gone: Gone): void;
  /** Housekeeping that may take a while (checkpoints); called when nothing else is going on. */
  tidy(): void;
  close(): void;
};
