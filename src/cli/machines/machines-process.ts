import { createHash, randomUUID } from 'node:crypto';
import { systemClock } from '#edge/clock.ts';
import { serveSsh } from '#edge/ssh/serve-ssh.ts';
import { systemTasks } from '#edge/tasks.ts';
import { createMachine } from '#embedded/machines/machine/simulated-machine.ts';
import { machineAddress, type MachinesOrder, type MachinesReport } from './machines-message.ts';

/** The process of the simulated machines. It ends with the process that started it, however that one ends. */
process.once('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches both processes; the other one decides.
process.on('SIGINT', () => undefined);

process.once('message', (order: MachinesOrder) => {
  void listenSomewhere(order).then((report) => process.send?.(report));
});

async function listenSomewhere(order: MachinesOrder): Promise<MachinesReport> {
  let last = '';
  for (const network of order.networks) {
    const failure = await listenAll(order, network);
    if (failure === undefined) return { type: 'listening', network };
    last = failure;
  }
  return { type: 'failed', message: last };
}

/** All machines on one network, or none and why. */
async function listenAll(
  { hostKeys, publicKey, port }: MachinesOrder,
  network: number,
): Promise<string | undefined> {
  const open: { close(): void }[] = [];
  try {
    for (const [at, hostKey] of hostKeys.entries()) {
      const machine = createMachine({
        hostname: `machine-${at + 1}`,
        bootId: randomUUID(),
        clock: systemClock,
        tasks: systemTasks,
        newDigest: () => {
          const hash = createHash('sha256');
          return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
        },
      });
      const address = machineAddress(network, at);
      open.push(await serveSsh({ address, port, hostKey, user: 'root', publicKey, serve: machine.serve }));
    }
    return undefined;
  } catch (error) {
    for (const server of open) server.close();
    return error instanceof Error ? error.message : String(error);
  }
}
