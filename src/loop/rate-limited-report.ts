import type { Clock } from '#base/time.ts';
import type { Report } from './report.ts';
import { TokenBucket, type Rate } from './token-bucket.ts';

/** Of each message ten at once, and then one in ten seconds. */
const perMessage: Rate = { perSecond: 1 / 10, burst: 10 };

/** A rate-limited report: repeated messages are counted, not reported. */
export function rateLimitedReport(report: Report, clock: Clock): Report {
  const known = new Map<string, { readonly bucket: TokenBucket; left: number }>();
  return (message, fields, level) => {
    const seen = known.get(message) ?? { bucket: new TokenBucket(clock, perMessage), left: 0 };
    known.set(message, seen);
    if (!seen.bucket.tryTake()) {
      seen.left += 1;
      return;
    }
    report(message, seen.left === 0 ? fields : { ...fields, alsoUntold: seen.left }, level);
    seen.left = 0;
  };
}
