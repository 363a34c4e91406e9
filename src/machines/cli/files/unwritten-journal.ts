import { ExitError } from '#command/exit.ts';
import type { UnwrittenRecord } from '#machines/engine/unwritten-record.ts';
import { againCommand } from './again-command.ts';
import type { OperationRequest, RunOptions } from './options.ts';

type Again = {
  readonly request: OperationRequest;
  readonly options: RunOptions;
  /** Whether the journal says which operation it is, so that it can be continued. */
  readonly isBegun: boolean;
};

/** Ends the command because its journal cannot be written, with the command that goes on. */
export function unwrittenJournal(
  { message, record }: UnwrittenRecord,
  { request, options, isBegun }: Again,
): ExitError {
  // A retry that is not recorded has not begun.
  const kind = record.type === 'retried' ? 'retry' : 'resume';
  const next = isBegun ? againCommand(kind, request, options) : 'start the operation again';
  return new ExitError(
    1,
    `${message}. Nothing more is started; scripts that run on the machines go on. Once it can be written: ${next}`,
  );
}
