import { defineConfig } from 'vitest/config';

/** Stories and conformance tests on the cluster of `npm run test:cluster`, one after the other: they share its nodes. */
export default defineConfig({
  test: {
    include: ['tests/story/**/*.test.ts', 'tests/conformance/**/*.test.ts'],
    setupFiles: ['tests/cluster/setup.ts'],
    pool: 'forks',
    isolate: false,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
