import type { Transport, TransportResponse } from '#edge/kube/transport.ts';

/** Holds back what watches of a resource tell. */
export type LateNews = { around(direct: Transport): Transport; hold(): void; release(): void };

export function lateNews(plurals: readonly string[]): LateNews {
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  return {
    around: (direct) => async (request) => {
      const answer = await direct(request);
      const isMeant = plurals.some((plural) => request.path.endsWith(`/${plural}`));
      if (!isMeant || !request.query.includes('watch=')) return answer;
      const ended = new Promise<void>((resolve) => {
        request.signal.addEventListener('abort', () => resolve());
      });
      return { ...answer, lines: () => held(answer, () => Promise.race([gate.promise, ended])) };
    },
    hold() {
      gate = Promise.withResolvers<void>();
    },
    release: () => gate.resolve(),
  };
}

async function* held(answer: TransportResponse, passed: () => Promise<void>): AsyncGenerator<string> {
  for await (const line of answer.lines()) {
    await passed();
    yield line;
  }
}
