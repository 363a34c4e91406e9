import { millis } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';

/** How calls leave the process. */
export type Outside = AsyncDisposable & { readonly send: Outgoing };

/** Nothing leaves the process unless hooks are live. */
export function openOutside(isLive: boolean): Outside {
  if (!isLive)
    return {
      send: (request) =>
        Promise.resolve({
          type: 'failed',
          why: 'policy',
          message: `a rehearsal does not call ${new URL(request.url).host}: give --live-hooks, or a reply with --hook`,
          latency: millis(0),
        }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  const outgoing = createOutgoing({ policy: { allowLoopback: true }, clock: systemClock });
  return { send: outgoing, [Symbol.asyncDispose]: () => outgoing.close() };
}
