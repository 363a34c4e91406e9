import type { Transport, TransportResponse } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';

/** A way to the server that counts writes, and on which all watches can be made to begin anew with a list. */
export type CountingWay = {
  readonly transport: Transport;
  readonly writes: number;
  readonly lists: number;
  lose(): void;
};

const gone: TransportResponse = {
  status: 410,
  headers: {},
  text: () => Promise.resolve(JSON.stringify({ kind: 'Status', code: 410, message: 'too old' })),
  lines: () => {
    throw new Error('a refusal has no lines');
  },
};

export function countingWay(direct: Transport): CountingWay {
  let [writes, lists] = [0, 0];
  let cut = new AbortController();
  const open = new Set<string>();
  let lost = new Set<string>();
  const transport: Transport = async (request) => {
    const id = `${request.path} ${new URLSearchParams(request.query).get('labelSelector') ?? ''}`;
    if (request.method !== 'GET') writes += 1;
    if (!request.query.includes('watch=true')) {
      if (request.query.includes('limit=')) lists += 1;
      return direct(request);
    }
    open.add(id);
    if (lost.delete(id)) return gone;
    const { signal } = cut;
    const answer = await direct({ ...request, signal: AbortSignal.any([request.signal, signal]) });
    return {
      ...answer,
      text: () => answer.text(),
      lines: async function* () {
        try {
          yield* answer.lines();
        } catch (error) {
          if (signal.aborted) throw new Unavailable('the watch was lost', error);
          throw error;
        }
      },
    };
  };
  return {
    transport,
    get writes() {
      return writes;
    },
    get lists() {
      return lists;
    },
    lose() {
      lost = new Set(open);
      const before = cut;
      cut = new AbortController();
      before.abort();
    },
  };
}
