import { defineConfig } from 'vitest/config';

/** Folders whose tests leave nothing behind in their process. */
const TOGETHER = [
  'config',
  'operation',
  'paging',
  'planner',
  'rules',
  'sandbox/@(bluesky|mastodon|social|world|x)',
  'scheduler',
  'secrets',
  'social',
  'store',
].map((folder) => `test/${folder}/**/*.test.ts`);

/** But for those that measure their process, or change it. */
const APART = [
  'test/rules/hostile.test.ts',
  'test/rules/testing/hostile.test.ts',
  'test/sandbox/x/sign-in.test.ts',
  'test/scheduler/held-answers.test.ts',
  'test/store/recorded-polls.test.ts',
  'test/store/sqlite/modes.test.ts',
];

export default defineConfig({
  test: {
    // Several of them wait for processes and servers most of the time.
    maxWorkers: 4,
    // These limits only end what hangs: on a busy machine a test takes many times as long as on an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      // To begin a process anew, and to import all again, takes longer than most files.
      { extends: true, test: { name: 'together', isolate: false, include: TOGETHER, exclude: APART } },
      { extends: true, test: { name: 'apart', include: APART } },
      { extends: true, test: { name: 'others', include: ['test/**/*.test.ts'], exclude: ['**/node_modules/**', ...TOGETHER] } },
    ],
  },
});
