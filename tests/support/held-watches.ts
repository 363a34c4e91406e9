import type { Transport } from '#edge/kube/transport.ts';

/** Holds back what watches of a resource tell. */
export type HeldWatches = { around(direct: Transport): Transport; hold(): void; release(): void };

export function heldWatches(plurals: readonly string[]): HeldWatches {
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

async function* held<Event>(all: AsyncIterable<Event>, passed: () => Promise<void>): AsyncGenerator<Event> {
  for await (const event of all) {
    await passed();
    yield event;
  }
}
