import { once } from 'node:events';
import { createServer } from 'node:net';

const last = 254;
let claimed: Promise<number> | undefined;

/**
 * The N of the loopback network 127.N.0.0/16 that belongs to this process. Test files run in several workers: the first
 * takes 127.10.0.0/16, the second 127.20.0.0/16 and so on. A socket holds the network until the process ends, so another run of
 * the tests on the same machine takes the next free one.
 */
export const ownNetwork = (): Promise<number> =>
  (claimed ??= claim(10 * Number(process.env['VITEST_POOL_ID'] ?? '1')));

async function claim(first: number): Promise<number> {
  for (let number = first; number <= last; number += 1) if (await isFree(number)) return number;
  throw new Error(`No free loopback network from 127.${first}.0.0/16 to 127.${last}.0.0/16.`);
}

/** Listens on an address of the network that no test uses. */
async function isFree(number: number): Promise<boolean> {
  const holder = createServer().listen(2222, `127.${number}.255.254`).unref();
  try {
    await once(holder, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}
