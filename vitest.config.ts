import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Several of them wait for processes and servers most of the time.
    maxWorkers: 4,
    testTimeout: 30_000,
  },
});
