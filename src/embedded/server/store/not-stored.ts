import { JournalWriteRefused, type WriteProblem } from '#base/journal.ts';
import { ApiError } from '#kube/status.ts';

const reasons: Readonly<Record<WriteProblem, string>> = {
  'disk-full': 'DiskFull',
  'disk-error': 'DiskError',
  'read-only': 'DiskReadOnly',
  damaged: 'JournalDamaged',
};

/** Clients that honour it (kubectl does) try so many seconds later. */
const retryAfterSeconds = 1;

/**
 * A write that the disk refused is answered with 503: reads and watches still work, and a later attempt may succeed.
 */
export function notStored(error: unknown): unknown {
  if (!(error instanceof JournalWriteRefused)) return error;
  const message = `nothing was stored: ${error.message}. Reads and watches still work; try again later`;
  const causes = [{ reason: reasons[error.problem], message: error.message }];
  return new ApiError({
    code: 503,
    reason: 'ServiceUnavailable',
    message,
    details: { causes, retryAfterSeconds },
  });
}
