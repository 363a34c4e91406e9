import { defineConfig } from 'vitest/config';

const programs = { pool: 'forks', testTimeout: 120_000, hookTimeout: 60_000 } as const;

/**
 * Unit tests and stories share threads and module state. Tests with real programs (kubectl, sshd, whole servers) run in
 * two processes, each with addresses of its own (tests/support/own-network.ts). Tests that measure time or memory, or
 * suspend a leader, run one after the other at the end.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'tests/*.test.ts', 'tests/story/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['tests/system/**/*.test.ts', 'tests/conformance/**/*.test.ts'],
          ...programs,
          maxWorkers: 2,
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
