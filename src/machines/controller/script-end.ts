import type { LastLine, ScriptEnd } from '#machines/decide/objects/script.ts';
import type { RunEnd } from '#machines/engine/run-plan.ts';
import type { TaskFailure } from '#machines/decide/verdict.ts';

export function scriptEnd(end: RunEnd, lines: readonly LastLine[]): ScriptEnd {
  if (end.type === 'unreachable')
    return { type: 'impossible', message: [...end.failures.values()].join(' ') };
  if (end.type !== 'ended') return { type: 'impossible', message: end.message };
  if (end.verdict.state === 'Succeeded') return { type: 'done', lines };
  const [failure] = end.verdict.failures;
  if (failure === undefined) return { type: 'impossible', message: end.verdict.state };
  const { outcome } = failure;
  const message = 'message' in outcome ? outcome.message : end.verdict.state;
  return { type: isVerdict(failure) ? 'failed' : 'impossible', message };
}

const isVerdict = ({ outcome }: TaskFailure): boolean =>
  outcome.type === 'timedOut' || (outcome.type === 'failed' && outcome.exit !== undefined);
