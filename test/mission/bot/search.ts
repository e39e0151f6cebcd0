import { expect } from 'vitest';
import { SearchFilter } from '#src/streaming/enumerations.ts';
import type { Game, Stream, User, Video } from '#src/streaming/records.ts';
import { one, row, walks, type Row } from '../rows.ts';
import type { BotGround } from './ground.ts';
import {
  gameFacts,
  gameIn,
  liveIn,
  mostViewedFirst,
  seenGame,
  seenStream,
  seenUser,
  seenVideo,
  streamFacts,
  userFacts,
  videoFacts,
  videosUnder,
} from './world.ts';

const PAGE = 100;
const GAME = 'Fortnite';

/** Streams whose channel or game begins with the keyword, most watched first. */
function streamsFor(ground: BotGround, keyword: string): readonly unknown[] {
  const text = keyword.toLowerCase();
  const found = liveIn(ground).filter(({ person, game }) => person.handle.startsWith(text) || game.name.toLowerCase().startsWith(text));
  return found.map(streamFacts);
}

/** Channels whose name begins with the keyword: the live ones first, by viewers, then by followers. */
function channelsFor(ground: BotGround, keyword: string): readonly unknown[] {
  const viewers = new Map(liveIn(ground).map(({ person, viewerCount }) => [person.id, viewerCount]));
  const found = ground.world.people.filter(({ handle }) => handle.startsWith(keyword.toLowerCase()));
  const watchedBy = ({ id }: { readonly id: string }): number => viewers.get(id) ?? -1;
  return found
    .toSorted((a, b) => watchedBy(b) - watchedBy(a) || b.followerCount - a.followerCount)
    .map((person) => userFacts(person, viewers.has(person.id)));
}

/** Games with the keyword in their names, those that begin with it first. */
function gamesFor({ world }: BotGround, keyword: string): readonly unknown[] {
  const text = keyword.toLowerCase();
  const found = world.games.filter(({ name }) => name.toLowerCase().includes(text));
  const [first, others] = [true, false].map((begins) => found.filter(({ name }) => name.toLowerCase().startsWith(text) === begins));
  return [...(first ?? []), ...(others ?? [])].map(gameFacts);
}

type Found = Stream | User | Game | Video;

function finds(
  form: string,
  keyword: string,
  filter: SearchFilter | undefined,
  holds: (ground: BotGround) => readonly unknown[],
  seen: (item: Found) => unknown,
) {
  return walks(
    { [form]: () => keyword },
    {
      get: ({ client }, word, walk) => client.search(word, filter === undefined ? walk : { ...walk, filter }),
      iter: ({ client }, word, walk) => client.iterSearch(word, filter === undefined ? walk : { ...walk, filter }),
      holds,
      seen,
      page: PAGE,
    },
  );
}

export function search(): Row<BotGround> {
  return row<BotGround>(
    'search',
    finds(
      'keyword',
      'v',
      undefined,
      (ground) => streamsFor(ground, 'v'),
      (item) => seenStream(item as Stream),
    ), // what the filter is about
    finds(
      'filter_: SearchStreams',
      'Valo',
      SearchFilter.SearchStreams,
      (ground) => streamsFor(ground, 'Valo'),
      (item) => seenStream(item as Stream),
    ), // as above
    finds(
      'filter_: SearchChannels',
      'S',
      SearchFilter.SearchChannels,
      (ground) => channelsFor(ground, 'S'),
      (item) => seenUser(item as User),
    ), // as above
    finds(
      'filter_: SearchGames',
      'ma',
      SearchFilter.SearchGames,
      (ground) => gamesFor(ground, 'ma'),
      (item) => seenGame(item as Game),
    ), // as above
    finds(
      'filter_: SearchVideos',
      GAME,
      SearchFilter.SearchVideos,
      (ground) => mostViewedFirst(videosUnder(ground, gameIn(ground, GAME))).map(videoFacts),
      (item) => seenVideo(item as Video), // as above
    ),
    one({
      form: 'filter_: SearchClips',
      async prove({ client }) {
        const refusal = { name: 'UnsupportedParameter', parameter: 'filter', reason: 'NO_ENDPOINT' };
        await expect(client.search(GAME, { filter: SearchFilter.SearchClips })).rejects.toMatchObject(refusal);
        await expect(client.iterSearch(GAME, { filter: SearchFilter.SearchClips }).next()).rejects.toMatchObject(refusal);
      },
    }),
  );
}
