import type { Clock } from '#base/time.ts';
import { createConnector, type ConnectorOptions } from './connect.ts';
import type { SshFailure } from './failure.ts';
import { hostFolder } from './host-program.ts';
import { openLocalShell } from './local-shell.ts';
import { machineOver, type SshMachine, type Workplace } from './machine.ts';
import type { SshTarget } from './target.ts';

export type Reached = { readonly type: 'reached'; readonly machine: SshMachine } | SshFailure;

/** The machines of one operation. */
export type Machines = {
  /** Logs in and makes sure of root; changes nothing. */
  reach(target: SshTarget, node: string, signal: AbortSignal): Promise<Reached>;
  /** This machine, as this user. */
  local(node: string): SshMachine;
  close(): void;
};

export type MachinesOptions = Omit<Workplace, 'node' | 'host'> & {
  /** Where jobs on this machine have their folders. */
  readonly localStateDir: string;
  readonly connector: ConnectorOptions;
  readonly clock: Clock;
};

export function openMachines({
  connector: options,
  clock,
  localStateDir,
  ...place
}: MachinesOptions): Machines {
  const connector = createConnector(options);
  return {
    async reach(target, node, signal) {
      const connected = await connector.connect(target, signal);
      if (connected.type !== 'connected') return connected;
      return {
        type: 'reached',
        machine: machineOver(connected.shell, { ...place, node, host: hostFolder }, clock),
      };
    },
    local: (node) => {
      const here = { ...place, node, stateDir: localStateDir, host: undefined };
      return machineOver(openLocalShell(), here, clock);
    },
    close: () => connector.close(),
  };
}
