import type { Instant } from '#base/time.ts';
import type { ReleaseVerdict } from '#releases/decide/view/release-verdict.ts';

/** The exit code of `release status`; undefined: the release is still in progress. */
export function statusExit(
  verdict: ReleaseVerdict,
  { isWatching, now }: { readonly isWatching: boolean; readonly now: Instant },
): number | undefined {
  switch (verdict.type) {
    case 'complete':
      return 0;
    case 'failed':
      return 1;
    case 'waiting':
      return 4;
    case 'timed-pause':
      return isWatching ? undefined : 4;
    case 'blocked-for-now':
      return isWatching && now < verdict.failsAt ? undefined : 1;
    case 'progressing':
      return undefined;
  }
}
