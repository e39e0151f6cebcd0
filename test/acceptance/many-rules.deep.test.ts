import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { capabilities } from '#adapters/twitch/capabilities.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { countProcessorMs, slowdown } from '../support/processor-time.ts';
import { install } from './installation.ts';

const FILES = 100;
const INSTANCES = 100;
const EVERY_SECONDS = 300;
/** One of this many channels goes live at each poll. */
const CHURN = 100;
const ROUNDS = 2;

/** The longest block of the event loop, in processor time. */
const LONGEST_STRETCH_MS = 300;
/** A tenth of a core. */
const MOST_CPU_MS = EVERY_SECONDS * 1000 * 0.1;

function ruleFile(file: number): string {
  const users = Array.from({ length: INSTANCES }, (_, instance) => `user_${file * INSTANCES + instance}`);
  return `
id: many-${file}
each: { user: [${users.join(', ')}] }
when: { every: 5m, watch: streaming.getStreams, with: { users: ["\${{ each.user }}"] }, where: item.viewerCount >= 10 }
if: item.language == "en"
cooldown: 1h
then: [{ do: social.createPost, with: { text: "\${{ item.owner.displayName }} is on with \${{ compact(item.viewerCount) }}" } }]
`;
}

/** Half of all channels are live at the start, and some others go live at each poll. */
function channels(clock: ManualClock): StreamingPlatform {
  const startMs = clock.nowMs();
  return {
    name: 'twitch',
    account: 'twitch',
    capabilities,
    operations: {
      getStreams: async ({ users = [] }) => {
        const polls = Math.floor((clock.nowMs() - startMs) / (EVERY_SECONDS * 1000));
        const isLive = (name: string): boolean => {
          const number = Number(name.split('_')[1]);
          return number % 2 === 0 || number % CHURN < 2 * polls;
        };
        // An answer of a server arrives in a later turn of the event loop.
        await nextTurn();
        return {
          items: users
            .map(String)
            .filter(isLive)
            .map((name) => toStream(name, clock.nowMs())),
        };
      },
    },
  };
}

function toStream(name: string, nowMs: number): Stream {
  const url = `https://www.twitch.tv/${name}`;
  return {
    platform: 'twitch',
    id: `stream-of-${name}`,
    url,
    owner: { platform: 'twitch', id: name, url, handle: name, displayName: name },
    title: `${name} plays`,
    viewerCount: 10 + (nowMs % 1000),
    startedAt: new Date(nowMs),
    language: 'en',
    tags: [],
    thumbnailUrl: `${url}.jpg`,
    fetchedAt: new Date(nowMs),
  };
}

/** The longest work without a turn of the event loop, in processor time, which other processes do not affect. */
function watchStretches(): { readonly longestMs: () => number } & Disposable {
  let longestMs = 0;
  let workedMs = countProcessorMs();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, workedMs());
    workedMs = countProcessorMs();
  }, 1);
  return { longestMs: () => longestMs, [Symbol.dispose]: () => clearInterval(timer) };
}

test('16. 10,000 rules × 5 min within event-loop budget', async () => {
  await using fanfare = await install({
    rules: Array.from({ length: FILES }, (_, file) => ruleFile(file)),
    at: '2026-11-20T18:00:05Z',
    streaming: (clock) => [channels(clock)],
  });
  await fanfare.pass(EVERY_SECONDS, EVERY_SECONDS);
  const before = await fanfare.posts();
  // The sandbox creates its data at the first post.
  await fanfare.pass(EVERY_SECONDS, EVERY_SECONDS);

  using stretches = watchStretches();
  const cpu = process.cpuUsage();
  await fanfare.pass(ROUNDS * EVERY_SECONDS, EVERY_SECONDS);
  const { user, system } = process.cpuUsage(cpu);
  const longestMs = stretches.longestMs();

  const posts = await fanfare.posts();
  const rules = new Set((await fanfare.store.ruleStates.lastSlots()).keys());
  expect(rules.size).toBe(FILES * INSTANCES);
  expect(before).toEqual([]);
  expect(posts).toHaveLength((FILES * INSTANCES * (1 + ROUNDS)) / CHURN);
  expect(longestMs).toBeLessThan(LONGEST_STRETCH_MS * slowdown());
  expect((user + system) / 1000 / ROUNDS).toBeLessThan(MOST_CPU_MS * slowdown());
});
