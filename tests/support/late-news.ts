import type { Transport } from '#edge/kube/transport.ts';

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
      const passed = (): Promise<void> => Promise.race([gate.promise, ended]);
      const { objects } = answer;
      return {
        ...answer,
        lines: () => held(answer.lines(), passed),
        ...(objects !== undefined && { objects: () => held(objects(), passed) }),
      };
    },
    hold() {
      gate = Promise.withResolvers<void>();
    },
    release: () => gate.resolve(),
  };
}

async function* held<News>(all: AsyncIterable<News>, passed: () => Promise<void>): AsyncGenerator<News> {
  for await (const news of all) {
    await passed();
    yield news;
  }
}
