import { describe, expect, test } from 'vitest';
import { openBot } from './bot/fixture.ts';
import { botOperations } from './document.ts';
import { proves, type Answered } from './table.ts';

function answered({ busy, games }: Awaited<ReturnType<typeof openBot>>): Readonly<Record<string, Answered>> {
  const [first, other] = ['VALORANT', 'Fortnite'].map((name) => games.find((game) => game.name === name));
  const same = { username: busy.handle.toUpperCase() };
  const ofUser = { args: { username: busy.handle }, same };
  const ofGame = { args: { game: first?.name }, same: { game: { id: first?.id } } };
  return {
    get_user: { ...ofUser, other: { username: 'ada' }, holds: { handle: busy.handle, isLive: true } },
    get_user_videos: { ...ofUser, other: { username: 'ada', sort: 'VIEWS' } },
    get_user_clips: { ...ofUser, other: { username: 'ada', sort: 'VIEWS' } },
    search: { args: { keyword: 'v' }, other: { keyword: 'Just', filter_: 'SearchChannels' } },
    get_top_streams: { args: {}, other: { tags: ['ENGLISH'] } },
    get_top_games: { short: true, args: {}, other: { tags: ['Deutsch'] } },
    get_game_streams: { ...ofGame, other: { game: other?.name, tags: ['ENGLISH'], sort: 'VIEWER_COUNT_ASC' } },
    get_game_clips: { ...ofGame, most: 3, other: { game: other?.name, sort: 'TIME', languages: 'de,JA' } },
    get_game_videos: { ...ofGame, most: 3, other: { game: other?.name, sort: 'TIME', languages: ['FR', 'de'] } },
  };
}

// The platform answers only so many requests at one instant.
describe.for(botOperations)('$name', (operation) => {
  proves({
    operations: [operation],
    async open() {
      const fixture = await openBot();
      const { [operation.name]: row } = answered(fixture);
      return Object.assign(fixture, { answers: row ? { [operation.name]: row } : {}, changes: {} });
    },
  });
});

test('a search finds the videos of a game, most viewed first', async () => {
  await using fixture = await openBot();
  const { client } = fixture;
  const found = await client.search('Fortnite', { filter: 'SearchVideos' });
  const videos = await client.getGameVideos('Fortnite', { sort: 'VIEWS' });

  expect(videos.length).toBeGreaterThan(10);
  expect(found.items).toEqual(videos.items);
});
