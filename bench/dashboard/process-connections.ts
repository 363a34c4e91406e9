import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const established = '01';

/** Number of open TCP connections that a process has to a port. A watch has one of its own. */
export function connectionsTo(pid: number, port: number): number {
  const own = socketsOf(pid);
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, , remote = '', state, , , , , , inode = '']) =>
        state === established && remote.endsWith(`:${wanted}`) && own.has(inode),
    ).length;
}

function socketsOf(pid: number): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  return new Set(
    readdirSync(folder).flatMap((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${name}`))?.[1] ?? [];
      } catch {
        // It was closed meanwhile.
        return [];
      }
    }),
  );
}
