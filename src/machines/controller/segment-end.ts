import { later, seconds, type Instant } from '#base/time.ts';
import type { RunEnd } from '#machines/engine/run-plan.ts';
import type { SegmentEnd } from '#machines/decide/objects/operation-events.ts';
import { withWayOut } from '#machines/decide/objects/way-out.ts';
import { warning } from '#loop/note.ts';
import type { OperationRun } from './operation-run.ts';

const lockedPause = seconds(10);

/** What the end of the engine's work means for the operation. */
export function segmentEnd(run: OperationRun, end: RunEnd, blockedUntil: Instant | undefined): SegmentEnd {
  const now = run.deps.clock.now();
  switch (end.type) {
    case 'ended': {
      const { state, failures } = end.verdict;
      if (state === 'Succeeded' || state === 'PartlySucceeded') return { type: 'passed' };
      if (state === 'Cancelled') return { type: 'left' };
      const why = failures.map(({ outcome }) => ('message' in outcome ? outcome.message : outcome.type));
      const message = why.join('; ').slice(0, 1024);
      return {
        type: 'later',
        isFailure: true,
        trouble: { reason: 'Failed', message, conditions: [], isFailure: true },
      };
    }
    case 'unreachable': {
      const message = withWayOut([...end.failures.values()].join(' '), run.isStuck()).slice(0, 1024);
      // The engine continues without some of its machines, but not without all of them.
      if (run.isForced()) {
        const text = `The object is removed without its machines: ${message}`;
        run.deps.events.record(run.object, warning('Forced', text));
        return { type: 'passed' };
      }
      return {
        type: 'later',
        isFailure: true,
        trouble: { reason: 'MachinesUnusable', message, isFailure: true },
      };
    }
    case 'locked':
      // The process that has the lock is about to write the status.
      if (run.state.about.isForeign) return { type: 'elsewhere', at: later(now, lockedPause) };
      return {
        type: 'later',
        at: later(now, lockedPause),
        trouble: { reason: 'MachineInUse', message: end.message, isFailure: false },
      };
    case 'taken-over':
      return blockedUntil === undefined ? { type: 'left' } : { type: 'later', at: blockedUntil };
  }
}
