import { seconds, type Clock } from '#base/time.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { ClientFault } from './around-client.ts';

/** A process that can be cut off from the server: its requests fail after a while and its watches end. */
export type Partition = ClientFault & { cutOff(): void; heal(): void; readonly isCutOff: boolean };

const patience = seconds(1);

export function partition(clock: Clock): Partition {
  let isCutOff = false;
  let cut = new AbortController();
  const unreachable = (): Unavailable => new Unavailable('the server is not reachable');
  const fail = async (signal: AbortSignal): Promise<never> => {
    await clock.sleep(patience, signal);
    throw unreachable();
  };
  return {
    get isCutOff() {
      return isCutOff;
    },
    cutOff() {
      isCutOff = true;
      const before = cut;
      cut = new AbortController();
      before.abort(unreachable());
    },
    heal() {
      isCutOff = false;
    },
    /** A response that comes back during the partition is lost as well. */
    async call(call, go) {
      if (isCutOff) return fail(call.signal);
      const result = await go();
      return isCutOff ? fail(call.signal) : result;
    },
    async *watch(_resource, begin, signal) {
      if (isCutOff) await fail(signal);
      yield* begin(AbortSignal.any([signal, cut.signal]));
    },
  };
}
