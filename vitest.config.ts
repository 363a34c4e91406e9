import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';

/** Limits are for what hangs: a machine that is busy with something else takes ten times as long. */
const limits = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
} as const;
const programs = { pool: 'forks', ...limits } as const;

/**
 * Unit tests and stories share threads and module state. Tests with real programs (kubectl, sshd, whole servers) run in
 * three processes, each with addresses of its own (tests/support/own-network.ts). Tests that measure time or memory, or
 * suspend a leader, run one after the other at the end.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'tests/*.test.ts', 'tests/story/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          ...limits,
        },
      },
      {
        test: {
          name: 'system',
          include: ['tests/system/**/*.test.ts', 'tests/conformance/**/*.test.ts'],
          ...programs,
          // They wait more than they work: with two, two cores have little to do.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'alone',
          include: ['tests/alone/**/*.test.ts'],
          ...programs,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
