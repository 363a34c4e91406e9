import type { JournalRecord } from '#machines/decide/progress.ts';

/** The journal does not have a record that it must have before anything else happens. */
export class UnwrittenRecord extends Error {
  readonly record: JournalRecord;
  constructor(operation: string, record: JournalRecord, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`The journal of operation ${operation} cannot be written (${recordText(record)}): ${why}`, {
      cause,
    });
    this.record = record;
  }
}

/** What the journal would have said. */
function recordText(record: JournalRecord): string {
  switch (record.type) {
    case 'staging':
      return `that ${record.step} begins on ${record.node}`;
    case 'intent':
      return `that the script of ${record.step} is started on ${record.node}`;
    case 'asked':
      return `that the result of ${record.step} is read from ${record.node}`;
    case 'result':
      return `how ${record.step} has ended on ${record.node}`;
    case 'isolated':
      return `that ${record.node} is left out`;
    case 'undone':
      return 'what was rolled back';
    case 'retried':
      return 'that failed tasks are tried again';
    case 'closed':
      return `that the operation is over (${record.state})`;
    case 'planned':
    case 'opened':
      return 'that the operation begins';
  }
}
