import type { PageEvent } from './page-event.ts';
import type { Permission } from './release-page.ts';

export type GridCell = {
  readonly state: 'done' | 'running' | 'failed' | 'waiting' | 'skipped';
  readonly message: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
};

/** An output of a script that a controller keeps. */
export type OutputRow = {
  readonly operation: string;
  readonly node: string;
  readonly step: string;
  readonly attempt: number;
  readonly isRunning: boolean;
};

export type ClusterPage = {
  readonly name: string;
  readonly phase: string;
  readonly version: string;
  readonly message: string;
  readonly operation: string;
  readonly nodes: readonly string[];
  readonly steps: readonly string[];
  /** Cells by `node step`. */
  readonly cells: Readonly<Record<string, GridCell>>;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly time: string;
  }[];
  readonly outputs:
    | { readonly type: 'listed'; readonly rows: readonly OutputRow[] }
    /** `message`: why no output can be shown. */
    | { readonly type: 'unavailable'; readonly message: string };
  readonly events: readonly PageEvent[];
  readonly mayRetry: Permission;
};
