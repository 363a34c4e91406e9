/** What the process of the simulated machines is sent when it starts. */
export type MachinesOrder = {
  /** One private key for each machine. */
  readonly hostKeys: readonly string[];
  readonly publicKey: string;
  /** The third numbers of addresses, in the order in which they are tried. */
  readonly networks: readonly number[];
  readonly port: number;
};

/** What it sends back. */
export type MachinesReport =
  | { readonly type: 'listening'; readonly network: number }
  | { readonly type: 'failed'; readonly message: string };

/** The address of a machine: loopback, one network for each fleet. */
export const machineAddress = (network: number, at: number): string => `127.0.${network}.${at + 1}`;
