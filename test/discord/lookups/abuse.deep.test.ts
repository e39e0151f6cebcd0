import { expect, test } from 'vitest';
import { startDiscord } from '#src/discord/start.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { Bot, type StreamingPlatform } from '#src/clients/streaming/bot.ts';
import { bareSocial } from '../../support/bare-social.ts';
import { type InteractionView, startDiscordSandbox } from '../../support/discord-sandbox.ts';
import { startOptions } from '../start-options.ts';
import { fc, seed } from '../../support/property.ts';
import { HOSTILE } from '../cards/hostile-records.ts';
import { anyChannel, anyClip, anyGame, anyPerson, anyPost, anyStream, anyTrends, anyVideo } from '../cards/records.ts';

let drawn = seed;

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
    getFollowers: native,
    sendChatMessage: native,
    getTeamMembers: native,
    getSchedule: native,
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
    getFollowers: async () => ({ items: [] }),
    sendChatMessage: async ({ text }) => ({ platform: 'demo', id: '1', text, sentAt: new Date(0) }),
    getTeamMembers: async () => pageOf(anyChannel),
    getSchedule: async () => ({ items: [] }),
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
  if (item === undefined) throw new Error('no sample');
  return item;
}

/** Each command with its text option. */
const COMMANDS = [
  ['live', 'streamer'],
  ['top streams', 'tags'],
  ['top games', 'tags'],
  ['game streams', 'game'],
  ['game clips', 'game'],
  ['game videos', 'game'],
  ['user', 'streamer'],
  ['videos', 'streamer'],
  ['clips', 'streamer'],
  ['search', 'keyword'],
  ['social user', 'user'],
  ['social posts', 'user'],
  ['social post', 'post'],
  ['social thread', 'post'],
  ['social search', 'keyword'],
] as const;

test('with hostile records and inputs, every command and every page is shown and pings no one', async () => {
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
      const canShare = JSON.stringify(view.message?.components ?? []).includes('"label":"Show everyone"');
      if (canShare)
        check(await discord.interact({ user, message: view.message?.id, click: 'Show everyone' }), `shared ${command} ${option}:${text}`);
      const next = JSON.stringify(view.message?.components ?? []).includes('"label":"Next","disabled":false');
      if (next) check(await discord.interact({ user, message: view.message?.id, click: 'Next' }), `page 2 of ${command} ${option}:${text}`);
    }
  }
  for (const [command, option] of [
    ['game streams', 'game'],
    ['clips', 'streamer'],
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
    // Discord renders mentions in the text, so foreign text is escaped there.
    expect(shown.content.replaceAll(/\\./gsu, ''), what).not.toMatch(/@(?:everyone|here)|<[@#]|\]\(|https?:|[\u202A-\u202E]/u);
  }
}
