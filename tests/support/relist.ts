import type { Transport } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';

/** A way to the server on which all watches can be lost at once, so that everything is listed again. */
export type Relisting = {
  around(direct: Transport): Transport;
  /** Ends all watches; each next one is told that its position is gone. */
  lose(): void;
};

export function relisting(): Relisting {
  let cut = new AbortController();
  let lost = new Set<string>();
  const seen = new Set<string>();
  const gone = {
    status: 410,
    headers: {},
    text: () =>
      Promise.resolve(JSON.stringify({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' })),
    lines: () => {
      throw new Error('an error has no lines');
    },
  };
  return {
    around: (direct) => async (request) => {
      const isWatch = request.method === 'GET' && /(^|&)watch=true/.test(request.query);
      if (!isWatch) return direct(request);
      seen.add(request.path);
      if (lost.delete(request.path)) return gone;
      const { signal } = cut;
      const both = AbortSignal.any([request.signal, signal]);
      const answer = await direct({ ...request, signal: both });
      const { objects } = answer;
      return {
        ...answer,
        lines: () => untilLost(answer.lines(), signal),
        ...(objects !== undefined && { objects: () => untilLost(objects(), signal) }),
      };
    },
    lose() {
      lost = new Set(seen);
      const before = cut;
      cut = new AbortController();
      before.abort();
    },
  };
}

async function* untilLost<News>(all: AsyncIterable<News>, signal: AbortSignal): AsyncGenerator<News> {
  try {
    yield* all;
  } catch (error) {
    if (signal.aborted) throw new Unavailable('the watch was lost');
    throw error;
  }
}
