import { Unavailable } from '#edge/kube/unavailable.ts';
import { isSideline, isWrite, type ClientFault } from './around-client.ts';

/** A process that is killed at its n-th write: the write is lost, or only its answer is. */
export type KilledAtWrite = ClientFault & { readonly isDead: boolean };

export function killAtWrite(at: number, how: 'before' | 'after'): KilledAtWrite {
  let writes = 0;
  const isDead = (): boolean => writes >= at;
  const die = (): never => {
    throw new Unavailable('the process was killed');
  };
  return {
    get isDead() {
      return isDead();
    },
    async call(call, go) {
      if (isDead()) return die();
      if (!isWrite(call) || isSideline(call)) return go();
      writes += 1;
      if (!isDead()) return go();
      if (how === 'after') await go();
      return die();
    },
  };
}

export const neverKilled = (): KilledAtWrite => killAtWrite(Infinity, 'after');
