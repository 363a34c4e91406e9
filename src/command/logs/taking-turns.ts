import { Slots } from '#base/slots.ts';
import type { KubeClient } from '#edge/kube/client.ts';

/**
 * A client whose reviews take turns: requests of strangers must not keep the API server busy, nor the requests of the
 * controllers waiting.
 */
export function takingTurns(
  client: Pick<KubeClient, 'create'>,
  mostAtOnce: number,
): Pick<KubeClient, 'create'> {
  const slots = new Slots(mostAtOnce);
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
      slots.whenFree(() => {
        signal.removeEventListener('abort', leave);
        resolve();
      }, signal);
    });
  return {
    async create(resource, object, signal, ...more) {
      await turn(signal);
      try {
        return await client.create(resource, object, signal, ...more);
      } finally {
        slots.release();
      }
    },
  };
}
