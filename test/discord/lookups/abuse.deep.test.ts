import { expect, test } from 'vitest';
import { startDiscord } from '#src/discord/start.ts';
import { SocialAsync } from '#src/social/social.ts';
import { Bot, type StreamingPlatform } from '#src/streaming/bot.ts';
import { bareSocial } from '../../support/bare-social.ts';
import { type InteractionView, startDiscordSandbox } from '../../support/discord-sandbox.ts';
import { startOptions } from '../start-options.ts';
import { fc } from '../../support/property.ts';
import { HOSTILE } from '../cards/hostile-records.ts';
import { anyChannel, anyClip, anyGame, anyPerson, anyPost, anyStream, anyTrends, anyVideo } from '../cards/records.ts';

const SEED = Number(process.env['SEED'] ?? Date.now() % 100_000);
let drawn = SEED;

/** So many records, each time others. */
function some<T>(record: fc.Arbitrary<T>, count = 12): T[] {
  return fc.sample(record, { numRuns: count, seed: drawn++ });
}

/** The first records, with unique ids. */
function pageOf<T extends { readonly id: string }>(record: fc.Arbitrary<T>): { readonly items: readonly T[] } {
  return { items: some(record).map((item, index) => ({ ...item, id: String(index) })) };
}

const native = { support: 'native' } as const;
const streaming: StreamingPlatform = {
  name: 'demo',
  account: 'demo',
  capabilities: {
    getUser: native,
    getUserVideos: native,
    getUserClips: native,
    getGameVideos: native,
    getGameClips: native,
    search: native,
    getTopStreams: native,
    getTopGames: native,
    getGameStreams: native,
    getStreams: native,
  },
  operations: {
    getUser: async () => one(anyChannel),
    getUserVideos: async () => pageOf(anyVideo),
    getUserClips: async () => pageOf(anyClip),
    getGameVideos: async () => pageOf(anyVideo),
    getGameClips: async () => pageOf(anyClip),
    search: async () => pageOf(fc.oneof(anyStream, anyChannel, anyGame, anyVideo)),
    getTopStreams: async () => pageOf(anyStream),
    getTopGames: async () => pageOf(anyGame),
    getGameStreams: async () => pageOf(anyStream),
    getStreams: async () => pageOf(anyStream),
  },
};
const social = bareSocial({
  getUserInfo: async () => one(anyPerson),
  getSuggestedUsers: async () => some(anyPerson),
  getPosts: async () => pageOf(anyPost),
  postDetail: async () => one(anyPost),
  getPostComments: async () => ({
    items: some(anyPost).map((root, index) => ({ id: String(index), root, replies: some(anyPost, 2).map((post) => ({ depth: 1, post })) })),
  }),
  search: async () => pageOf(fc.oneof(anyPost, anyPerson)),
  getTrends: async () => one(anyTrends).map((trend) => ({ ...trend })),
});

function one<T>(record: fc.Arbitrary<T>): T {
  const [item] = some(record, 1);
  if (item === undefined) throw new Error('nothing was drawn');
  return item;
}

/** Each command with its text option. */
const COMMANDS = [
  ['live', 'user'],
  ['top streams', 'tags'],
  ['top games', 'tags'],
  ['game streams', 'game'],
  ['game clips', 'game'],
  ['game videos', 'game'],
  ['user', 'name'],
  ['videos', 'user'],
  ['clips', 'user'],
  ['search', 'keyword'],
  ['social user', 'user'],
  ['social posts', 'user'],
  ['social post', 'post'],
  ['social thread', 'post'],
  ['social search', 'keyword'],
] as const;

test(`whatever people write, and whatever is typed, every command and every page is shown and pings nobody (SEED=${SEED})`, async () => {
  await using discord = await startDiscordSandbox();
  const lines: string[] = [];
  await using bot = await startDiscord({
    ...startOptions(discord, lines),
    streaming: new Map([['demo', new Bot({ platform: streaming })]]),
    social: new Map([['bare', new SocialAsync({ platform: social })]]),
  });
  await bot.ready;
  const [user] = discord.people;
  const typed = HOSTILE.map((text) => text.slice(0, 200).toWellFormed()).filter((text) => text.trim() !== '');

  for (const [command, option] of COMMANDS) {
    for (const text of typed) {
      const view = await discord.interact({ user, channel: 'general', command, options: { [option]: text } });
      check(view, `${command} ${option}:${text}`);
      const next = JSON.stringify(view.message?.components ?? []).includes('"label":"Next","disabled":false');
      if (next) check(await discord.interact({ user, message: view.message?.id, click: 'Next' }), `page 2 of ${command} ${option}:${text}`);
    }
  }
  for (const [command, option] of [
    ['game streams', 'game'],
    ['clips', 'user'],
    ['social posts', 'user'],
    ['social search', 'keyword'],
  ] as const) {
    for (const text of typed) {
      const view = await discord.interact({ user, channel: 'general', command, options: { [option]: text }, autocomplete: true });
      expect(view.outcome, `${command} ${option}:${text}`).toBe('choices');
    }
  }

  expect(lines.filter((line) => / (?:error|warn) /u.test(line))).toEqual([]);
});

function check({ outcome, message, followUps }: InteractionView, what: string): void {
  expect(['message', 'update'], what).toContain(outcome);
  for (const shown of [message, ...followUps]) {
    if (!shown) continue;
    expect(shown.pinged, what).toEqual({ everyone: false, roles: [], users: [] });
    // In the text itself Discord reads mentions, too: all that is foreign there is escaped.
    expect(shown.content.replaceAll(/\\./gsu, ''), what).not.toMatch(/@(?:everyone|here)|<[@#]|\]\(|https?:|[\u202A-\u202E]/u);
  }
}
