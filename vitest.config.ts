import { randomInt } from 'node:crypto';
import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** `npm run test:deep` sets this. */
const isDeep = process.env['FANFARE_DEEP'] !== undefined;

// Each deep run has new random inputs. Its seed, which the workers inherit, repeats them.
if (isDeep) {
  process.env['FANFARE_SEED'] ??= String(randomInt(2 ** 31));
  process.on('exit', () => console.log(`FANFARE_SEED=${process.env['FANFARE_SEED']} repeats the random inputs of this run.`));
}

/**
 * The endings of test files: `*.deep.test.ts` runs in deep mode only, `*.properties.test.ts` in both modes (with more runs in deep
 * mode), and any other test in the default mode only.
 */
const ENDINGS = isDeep ? '@(*.deep|*.properties).test.ts' : '!(*.deep).test.ts';

/**
 * Files that measure or change their process. All others run in shared processes: a new process imports everything again, which takes
 * longer than most files.
 */
const SEPARATE_PROCESS = [
  'test/{rules,engine/testing}/hostile*.test.ts',
  'test/engine/scheduler/slow-polls.test.ts',
  'test/store/recorded-polls.test.ts',
  'test/store/sqlite/modes.test.ts',
  'test/acceptance/{many-rules,memory}.deep.test.ts',
  'test/adapters/twitch/eventsub-burst.deep.test.ts',
  'test/app/replay-rules.deep.test.ts',
  'test/http/{large-answers,media/pages/page-head}.properties.test.ts',
  'test/web/{view-times,api/events}.deep.test.ts',
  'sandbox/test/mastodon/{files,mastodon}.deep.test.ts',
  'sandbox/test/world/history.deep.test.ts',
];

/**
 * Flags of shared processes: functions are compiled at their first call, and stay compiled, and the first garbage collections wait until the
 * process has loaded Fanfare. They save 5 to 11 % of the CPU time. A larger heap saves no more, and six processes must fit in 4 GB.
 */
const FLAGS = ['--always-sparkplug', '--no-flush-bytecode', '--initial-heap-size=500'];

/**
 * Files with kills. `FANFARE_HALF`, which `.ci/run` sets, selects every second one by the seed, and half of the runs of each property, because
 * the inputs of all runs add up.
 */
const KILLS = [
  'test/chaos/chaos.deep.test.ts',
  'test/e2e/{*-kill,burst,kill}.deep.test.ts',
  'test/engine/delivery/kill.deep.test.ts',
  'test/exactly-once/{bluesky,mastodon,x}.deep.test.ts',
];
const omittedKills =
  process.env['FANFARE_HALF'] === undefined
    ? []
    : globSync(KILLS)
        .toSorted()
        .filter((_, index) => (index + Number(process.env['FANFARE_SEED'])) % 2 === 0);

/** The tests that take longest, and folders of such tests. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'discord/outcomes/',
  'store/postgres/database-health',
  'web/view-times',
  'chaos/chaos',
  'e2e/follow-kill',
  'exactly-once/x',
  'docs/tutorial',
  'build/package',
  'e2e/webhook-kill',
  'engine/delivery/stores-agree',
  'docs/guides-live',
  'following/follow-pings',
  'adapters/answers/answers',
  'engine/delivery/kill',
  'exactly-once/mastodon',
  'engine/delivery/ordering',
  'cli/ends',
  'app/migrate-state',
  'discord/servers/follow',
  'discord/lookups/',
  'discord/rule-commands/',
  'adapters/bluesky/session',
  'adapters/bluesky/contract',
  'rules/check/names-of-objects',
  'web/api/events',
  'store/prune',
  'e2e/hints-kill',
  'rules/keys/',
  'store/postgres/contract',
  'adapters/mastodon/streaming',
  'adapters/twitch/eventsub',
  'scheduler/hinted-names',
  'exactly-once/bluesky',
  'e2e/kill',
  'acceptance/clocks',
  'store/index-words',
  'operating/pages',
  'acceptance/front-ends',
  'rules/rendering/fit',
  'scheduler/zones',
  'rules/evaluate/model',
  'http/large-answers',
  'engine/testing/hostile',
  'e2e/',
  'rules-shipped/sandbox',
  'injection/injection',
  'discord/member-states',
  'discord/posting/now',
  'discord/gateway',
  'discord/bot-status',
  'app/websub',
  'store/sqlite-file',
  'discord/controls/failing-rule',
  'rules/hostile',
  'acceptance/',
  'web/',
  'store/postgres/',
  'adapters/x/contract',
  'adapters/mastodon/sandbox',
  'adapters/mastodon/streaming-contract',
  'adapters/x/stream-contract',
  'actions/table',
  'mission/',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((name) => moduleId.includes(`/${name}${name.endsWith('/') ? '' : '.'}`));
      return rank === -1 ? LONGEST.length : rank;
    };
    const isShared = ({ project }: TestSpecification): number => Number(project.name === 'shared');
    // A file with its own process between two others would end a shared process, and the next file would import everything again.
    return (await super.sort(files)).toSorted((a, b) => isShared(a) - isShared(b) || rankOf(a) - rankOf(b));
  }
}

const NOT_RUN = isDeep ? ['**/!(*.deep|*.properties).test.ts'] : ['**/*.deep.test.ts'];

export default defineConfig({
  test: {
    globalSetup: 'test/support/end-servers.ts',
    setupFiles: 'test/support/agent-of-discord.ts',
    // Tests wait for servers, timers and processes part of the time, so two cores keep more workers than cores busy.
    maxWorkers: isDeep ? 6 : 4,
    sequence: { sequencer: LongestFirst },
    // These limits only end tests that hang.
    testTimeout: isDeep ? 600_000 : 60_000,
    hookTimeout: isDeep ? 600_000 : 60_000,
    expect: { poll: { timeout: isDeep ? 240_000 : 50_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          execArgv: FLAGS,
          include: [`{test,sandbox/test}/**/${ENDINGS}`],
          exclude: [...SEPARATE_PROCESS, ...omittedKills],
        },
      },
      { extends: true, test: { name: 'separate', include: SEPARATE_PROCESS, exclude: NOT_RUN } },
    ],
  },
});
