import { setFlagsFromString } from 'node:v8';

/**
 * How much the heap may grow, in percent of what is in use, before it is collected. Unless told, V8 lets it grow to several
 * times its size, and the process keeps the memory. Called when a process is ready: while it starts nothing is worth
 * collecting.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
