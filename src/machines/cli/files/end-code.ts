import type { RunEnd } from '#machines/engine/run-plan.ts';
import { exitCodeOf } from '#machines/decide/verdict.ts';
import type { RunOptions } from './options.ts';

/** The exit code of an operation that has come to an end. */
export function codeOf(end: RunEnd, { strict }: RunOptions): number {
  switch (end.type) {
    case 'ended':
      return exitCodeOf(end.verdict, strict);
    case 'locked':
    case 'taken-over':
      return 3;
    case 'unreachable':
      return 5;
  }
}
