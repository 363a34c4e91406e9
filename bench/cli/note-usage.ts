import { readFileSync, writeFileSync } from 'node:fs';

/** Preloaded into a command with `--import`: at its end it writes its peak memory and its processor time. */
const file = process.env['BENCH_USAGE_FILE'];
process.on('exit', () => {
  if (file === undefined) return;
  const { user, system } = process.cpuUsage();
  const kilobytes = Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  const usage = { peakMegabytes: (kilobytes * 1.024) / 1000, cpuMillis: (user + system) / 1000 };
  writeFileSync(file, JSON.stringify(usage));
});
