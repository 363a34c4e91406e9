import type { JournalRecord } from '#machines/decide/progress.ts';

/** The journal does not have a record that it must have before anything else happens. */
export class UnwrittenRecord extends Error {
  constructor(operation: string, record: JournalRecord, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `The journal of operation ${operation} cannot be written (${recordText(record)}): ${why}. Nothing more is started; ` +
        'scripts that run on the machines go on, and their results stay there. Mend that; then boathook cluster resume ' +
        'continues an operation of files, and a controller continues one of objects by itself.',
      { cause },
    );
  }
}

const recordText = (record: JournalRecord): string =>
  'step' in record
    ? `record "${record.type}" of ${record.step} on ${record.node}, attempt ${record.attempt}`
    : `record "${record.type}"`;
