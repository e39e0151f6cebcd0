import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** The configuration of mutation runs: mutants can hang, so tests end soon. */
export default mergeConfig(config, {
  root: process.cwd(),
  test: {
    setupFiles: ['test/mutation/activate.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
