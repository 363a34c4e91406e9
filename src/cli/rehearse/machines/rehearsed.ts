import type { OperationRequest } from '#machines/cli/files/options.ts';
import type { RehearsedOperation } from './rehearsed-operation.ts';
import type { OperationWalk } from './run-operation.ts';

export type RolledBack = { readonly request: OperationRequest; readonly walk: OperationWalk };

type Versions = ReadonlyMap<string, string | undefined>;

export type Rehearsed = {
  readonly plan: RehearsedOperation;
  readonly seed: number;
  readonly walk: OperationWalk;
  readonly undone: RolledBack | undefined;
  readonly before: Versions;
  readonly after: Versions;
  readonly isDown: (node: string) => boolean;
};
