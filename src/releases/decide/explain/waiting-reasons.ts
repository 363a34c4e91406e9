import { textAt } from '#base/json.ts';
import { blockerReasons, type Blocker } from '#releases/model/blocker.ts';
import type { WaitingReason } from './explanation.ts';
import type { ExplainContext } from './explain-context.ts';

/** Number of messages of one reason that are shown. */
const most = 3;

/** The reason and message of the status first, then everything else that the release waits for. */
export function waitingReasons({ status, reason, decision }: ExplainContext): readonly WaitingReason[] {
  const message = textAt(status, 'message') ?? '';
  const isWaiting = Object.hasOwn(blockerReasons, reason);
  const first = isWaiting ? [{ reason, message }] : [];
  // The message of the status may add why a pod is not in service.
  const others = decision.blockers.filter((each) => !isWaiting || !message.includes(each.message));
  const groups = Map.groupBy([...first, ...others], (each) => each.reason);
  return [...groups].map(([each, group]) => grouped(each, group));
}

function grouped(reason: string, group: readonly Pick<Blocker, 'message'>[]): WaitingReason {
  const messages = [...new Set(group.map(({ message }) => message))];
  const more = messages.length - most;
  return {
    reason,
    ...(isKnown(reason) ? { meaning: blockerReasons[reason] } : {}),
    messages: messages.slice(0, most),
    ...(more > 0 ? { more } : {}),
  };
}

const isKnown = (reason: string): reason is keyof typeof blockerReasons =>
  Object.hasOwn(blockerReasons, reason);
