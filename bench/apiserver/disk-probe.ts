import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const writes = 200;
const page = Buffer.alloc(4096, 1);

/** How many 4 KiB writes per second this disk makes durable one by one: no server can acknowledge more commits. */
export function durableWritesPerSecond(folder: string): number {
  const path = join(folder, 'probe');
  const file = openSync(path, 'w', 0o600);
  const began = performance.now();
  for (let i = 0; i < writes; i++) {
    writeSync(file, page);
    fdatasyncSync(file);
  }
  const seconds = (performance.now() - began) / 1000;
  closeSync(file);
  rmSync(path);
  return writes / seconds;
}
