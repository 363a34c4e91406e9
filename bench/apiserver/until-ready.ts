import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child-process.ts';
import { Connection, type Address } from './connection.ts';

const pauseMillis = 2;
const patienceMillis = 60_000;

/** Asks `/readyz` until it says ok. Fails when the process ends or a minute has passed. */
export async function untilReady(address: Address, child: Child): Promise<void> {
  const end = performance.now() + patienceMillis;
  while (child.process.exitCode === null && performance.now() < end) {
    if (await becomesReady(address, end)) return;
    await sleep(pauseMillis);
  }
  throw new Error(`the server did not become ready (exit code ${child.process.exitCode ?? 'none'})`);
}

/** False when nobody answers, or not in time. */
async function becomesReady(address: Address, end: number): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(address);
    while (performance.now() < end) {
      const { status } = await connection.send({ method: 'GET', path: '/readyz' });
      if (status === 200) return true;
      await sleep(pauseMillis);
    }
    return false;
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}
