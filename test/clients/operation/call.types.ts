// Read by tsc only: each line below an expect-error would fail the type check if it compiled.
import type { Platform } from '#src/clients/operation/platform.ts';
import { withOperations } from '#src/clients/operation/client.ts';
import type { Bot, StreamingPlatform } from '#src/clients/streaming/bot.ts';
import type { GameStreams, TopStreams } from '#src/clients/streaming/containers.ts';
import type { Game, Stream, User } from '#src/clients/streaming/records.ts';
import type * as users from '#src/clients/streaming/users.ts';

export async function goodCalls(bot: Bot, game: Game, user: User): Promise<void> {
  const top: TopStreams = await bot.getTopStreams({ tags: ['English'], pages: 'all', waitTime: 0, signal: AbortSignal.timeout(1) });
  const first: Stream | undefined = top.at(0);
  const ofGame: GameStreams = await bot.getGameStreams(game, { sort: 'STARTED_AT', cursor: top.cursor });
  for await (const [streams, items] of bot.iterGameStreams(743))
    console.log(streams satisfies GameStreams, items satisfies readonly Stream[]);
  for await (const stream of bot.getStreams({ users: ['ada'], games: ['Chess', { id: '743' }] })) console.log(stream.title);
  const person: User = await bot.getUser(user);
  console.log(first, ofGame, person);
}

export function wrongCalls(bot: Bot): void {
  // @ts-expect-error pages is a number or 'all'
  bot.getTopStreams({ pages: 'some' });
  // @ts-expect-error tags is a list
  bot.getTopStreams({ tags: 'English' });
  // @ts-expect-error unknown option
  bot.getTopStreams({ page: 2 });
  // @ts-expect-error unknown order
  bot.getGameStreams('Chess', { sort: 'RANDOM' });
  // @ts-expect-error a game is needed
  bot.getGameStreams();
  // @ts-expect-error users, games or languages are required
  bot.getStreams();
  // @ts-expect-error a user is a name, an id or a record
  void bot.getUser({ handle: 'ada' });
  // @ts-expect-error an operation with one result has no pages
  void bot.getUser('ada', { pages: 2 });
  const { getTopStreams } = bot;
  // @ts-expect-error a method without its client cannot be called
  getTopStreams();
}

export async function wrongResults(bot: Bot): Promise<void> {
  // @ts-expect-error the container of games is another
  const streams: TopStreams = await bot.getTopGames();
  // @ts-expect-error a container is read only
  streams.items.push();
  // @ts-expect-error the signal is none of YAML's parameters, and a call has it
  await bot.getTopStreams({ signal: 'now' });
}

export const wrongAdapters: readonly Partial<StreamingPlatform['operations']>[] = [
  // @ts-expect-error a user is not a stream
  { getUser: async () => ({ id: '1' }) },
  // @ts-expect-error a list answers with a page
  { getTopStreams: async () => [] },
  // @ts-expect-error the iter twin is made from the list
  { iterTopStreams: async () => ({ items: [] }) },
  // @ts-expect-error paging is not the platform's
  { getTopStreams: async ({ pages }) => ({ items: [], cursor: pages }) },
];

// @ts-expect-error every operation has a word in the table
export const silentTable: Platform<typeof users>['capabilities'] = {};

// @ts-expect-error a topic exports operations only
export const notATopic = withOperations({ helper: () => 1 });
