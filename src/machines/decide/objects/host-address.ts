import { formatIp, parseIp } from '#schema/cel/ip.ts';

/** Where a machine is reached. */
export type Addressed = {
  readonly ip: string;
  readonly port?: number;
  readonly proxy?: { readonly ip: string; readonly port?: number };
};

/** The one text of an address that can be written in several ways: `::1`, `0:0::1`; `::ffff:192.0.2.1`, `192.0.2.1`. */
export function canonicalAddress(address: string): string {
  const text = address.toLowerCase();
  const mapped = /^(?:0{0,4}:){2,5}ffff:(?:([\d.]+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/.exec(text);
  if (mapped !== null) {
    const [, dotted, high = '0', low = '0'] = mapped;
    if (dotted !== undefined) return dotted;
    const bits = (BigInt(`0x${high}`) << 16n) | BigInt(`0x${low}`);
    return formatIp({ kind: 'ip', family: 4, bits });
  }
  const ip = parseIp(text);
  return ip.kind === 'error' ? text : formatIp(ip);
}

/** Text for messages and for comparison. */
export const hostOf = ({ ip, port = 22 }: Addressed): string => `${canonicalAddress(ip)} port ${port}`;

/** Whether both are certainly one host. The same address behind another jump host may be another machine. */
export const isSameHost = (one: Addressed, other: Addressed): boolean =>
  hostOf(one) === hostOf(other) && wayTo(one) === wayTo(other);

const wayTo = ({ proxy }: Addressed): string => (proxy === undefined ? '' : hostOf(proxy));
