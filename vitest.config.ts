import { defineConfig } from 'vitest/config';

/** `npm run test:deep` sets this. */
const isDeep = process.env['FANFARE_DEEP'] !== undefined;

/**
 * The endings of test files: `*.deep.test.ts` runs in deep mode only, `*.properties.test.ts` in both modes (with more runs in deep
 * mode), and any other test in the default mode only.
 */
const ENDINGS = isDeep ? '@(*.deep|*.properties).test.ts' : '!(*.deep).test.ts';

/** Folders whose tests leave nothing behind in their process. A new process, and all imports again, take longer than most files. */
const SHARED_PROCESS = [
  'test/{adapters,app,assistant,assistant-tools,chat,config,delivery,discord,docs,http,media,operation,paging,planner,posting,queries,registry,rules}',
  'test/{scaffold,scheduler,secrets,sign-in,social,store,streaming,web}',
  'sandbox/test',
];

/** Files in these folders that measure or change their process. */
const SEPARATE_PROCESS = [
  'test/rules/{,testing/}hostile*.test.ts',
  'test/scheduler/slow-polls.test.ts',
  'test/store/recorded-polls.test.ts',
  'test/store/sqlite/modes.test.ts',
  'sandbox/test/discord/*.test.ts',
  'test/discord/assistant/drafts.test.ts',
];

const shared = SHARED_PROCESS.map((folder) => `${folder}/**/${ENDINGS}`);
const all = [`{test,sandbox/test}/**/${ENDINGS}`];

export default defineConfig({
  test: {
    // Several tests wait for processes and servers most of the time.
    maxWorkers: 4,
    // These limits only end tests that hang: on a busy machine, a test takes many times as long as on an idle one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000 } },
    projects: [
      { extends: true, test: { name: 'shared', isolate: isDeep, include: shared, exclude: SEPARATE_PROCESS } },
      { extends: true, test: { name: 'separate', include: all, exclude: ['**/node_modules/**', ...shared] } },
      {
        extends: true,
        test: {
          name: 'measuring',
          include: SEPARATE_PROCESS,
          exclude: isDeep ? ['**/!(*.deep|*.properties).test.ts'] : ['**/*.deep.test.ts'],
        },
      },
    ],
  },
});
