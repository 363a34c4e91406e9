import { readFileSync } from 'node:fs';

/** Every connection from this machine to one of the fleet's servers that the kernel still remembers. */
export function connectionsTo(ports: ReadonlySet<number>): ReadonlySet<string> {
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  const found = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , to = '']) => ports.has(portOf(to)));
  return new Set(found.map(([, from = '', to = '']) => `${from} ${to}`));
}

/** `0100007F:0016`, in hexadecimal. */
const portOf = (place: string): number => Number.parseInt(place.split(':')[1] ?? '', 16);
