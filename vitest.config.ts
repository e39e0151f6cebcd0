import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

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

/** The deep tests that take longest. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'build/package',
  'chaos/chaos',
  'docs/tutorial',
  'e2e/kill',
  'exactly-once/x',
  'exactly-once/bluesky',
  'exactly-once/mastodon',
  'discord/controls/rules',
  'store/postgres/lost-connections',
  'acceptance/servers/rules',
  'e2e/observed-workers',
  'assistant/injection/injection',
  'web/browser',
  'adapters/bad-input/connections',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.deep.test.ts`));
      return rank === -1 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

const shared = SHARED_PROCESS.map((folder) => `${folder}/**/${ENDINGS}`);
const all = [`{test,sandbox/test}/**/${ENDINGS}`];

export default defineConfig({
  test: {
    // Several tests wait for processes and servers most of the time, deep tests most of all.
    maxWorkers: isDeep ? 6 : 4,
    sequence: { sequencer: LongestFirst },
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
