import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
const tickMicros = 10_000;

/** Processor time that these processes have used so far, in microseconds. */
export function cpuMicros(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid) * tickMicros, 0);
}

function ticksOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name stands in brackets and may hold anything; fields 14 and 15 are user and system time.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

export type Memory = { readonly nowMegabytes: number; readonly peakMegabytes: number };

/** Resident memory of these processes together. */
export function memoryOf(pids: readonly number[]): Memory {
  const statuses = pids.map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'));
  const sum = (field: string): number =>
    statuses.reduce((total, status) => total + kilobytes(status, field), 0) / 1000;
  return { nowMegabytes: sum('VmRSS'), peakMegabytes: sum('VmHWM') };
}

function kilobytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1.024;
}
