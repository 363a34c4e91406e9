import type { Transport, TransportRequest } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';

export type How = 'before' | 'after';

/** A way to the server for a process that is killed at its n-th write: the write is lost, or only its answer is. */
export type KilledProcess = {
  around(direct: Transport): Transport;
  readonly isDead: boolean;
  readonly writes: number;
};

/** Events and leases tell others what happens; nothing is decided by them. */
const isCounted = ({ method, path }: TransportRequest): boolean =>
  method !== 'GET' && !/\/(events|leases)(\/|$)/.test(path);

export function killedProcess(at: number, how: How): KilledProcess {
  let writes = 0;
  const die = (): never => {
    throw new Unavailable('the process was killed', undefined);
  };
  const isDead = (): boolean => writes >= at;
  return {
    around: (direct) => async (request) => {
      if (isDead()) return die();
      if (!isCounted(request)) return direct(request);
      writes += 1;
      if (!isDead()) return direct(request);
      if (how === 'after') await direct(request);
      return die();
    },
    get isDead() {
      return isDead();
    },
    get writes() {
      return writes;
    },
  };
}
