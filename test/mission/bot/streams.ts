import { answers, row, walks, type Row } from '../rows.ts';
import { gameForms, star, userForms } from './forms.ts';
import type { BotGround } from './ground.ts';
import { gameFacts, liveIn, seenGame, seenStream, seenUser, streamFacts, userFacts } from './world.ts';

const PAGE = 100;
const GAME = 'VALORANT';
/** What most streams have among their tags. */
const TAGS = ['english', 'ENGLISH'];

function tagged(ground: BotGround, ...tags: readonly string[]) {
  const wanted = new Set(tags.map((tag) => tag.toLowerCase()));
  return liveIn(ground).filter((stream) => stream.tags.some((tag) => wanted.has(tag.toLowerCase())));
}

function playing(ground: BotGround, name: string) {
  return liveIn(ground).filter(({ game }) => game.name === name);
}

/** Games with how many watch them, most watched first. */
function watched(streams: ReturnType<typeof liveIn>) {
  const games = Map.groupBy(streams, ({ game }) => game);
  return [...games]
    .map(([game, all]) => ({ game, viewerCount: all.reduce((sum, { viewerCount }) => sum + viewerCount, 0), liveChannelCount: all.length }))
    .toSorted((a, b) => b.viewerCount - a.viewerCount);
}

export function getUser(): Row<BotGround> {
  return row<BotGround>(
    'get_user',
    answers(userForms(star), {
      call: ({ client }, user) => client.getUser(user),
      seen: seenUser,
      holds: (ground) => userFacts(star(ground), true),
    }),
    answers(
      { 'username: who is not live': (ground: BotGround) => asleep(ground).id },
      { call: ({ client }, user) => client.getUser(user), seen: seenUser, holds: (ground) => userFacts(asleep(ground), false) },
    ),
  );
}

function asleep(ground: BotGround) {
  const live = new Set(liveIn(ground).map(({ person }) => person.id));
  const person = ground.world.people.find(({ id }) => !live.has(id));
  if (!person) throw new Error('everybody is live');
  return person;
}

export function streamRows(): readonly Row<BotGround>[] {
  return [
    row<BotGround>(
      'get_top_streams',
      walks(
        { 'tags: none': () => undefined },
        {
          get: ({ client }, _, walk) => client.getTopStreams(walk),
          iter: ({ client }, _, walk) => client.iterTopStreams(walk),
          holds: (ground) => liveIn(ground).map(streamFacts),
          seen: seenStream,
          page: PAGE,
        },
      ),
      walks(
        { tags: () => TAGS },
        {
          get: ({ client }, tags, walk) => client.getTopStreams({ ...walk, tags }),
          iter: ({ client }, tags, walk) => client.iterTopStreams({ ...walk, tags }),
          holds: (ground) => tagged(ground, ...TAGS).map(streamFacts),
          seen: seenStream,
          page: PAGE,
        },
      ),
    ),
    row<BotGround>(
      'get_top_games',
      walks(
        { 'tags: none': () => undefined },
        {
          get: ({ client }, _, walk) => client.getTopGames(walk),
          iter: ({ client }, _, walk) => client.iterTopGames(walk),
          holds: (ground) => watched(liveIn(ground)).map(({ game }) => gameFacts(game)),
          seen: seenGame,
          page: PAGE,
        },
      ),
      walks(
        { tags: () => TAGS },
        {
          get: ({ client }, tags, walk) => client.getTopGames({ ...walk, tags }),
          iter: ({ client }, tags, walk) => client.iterTopGames({ ...walk, tags }),
          holds: (ground) => watched(tagged(ground, ...TAGS)).map(({ game, ...counted }) => ({ id: game.id, name: game.name, ...counted })),
          seen: ({ id, name, viewerCount, liveChannelCount }) => ({ id, name, viewerCount, liveChannelCount }),
        },
      ),
    ),
    row<BotGround>(
      'get_game_streams',
      walks(gameForms(GAME), {
        get: ({ client }, game, walk) => client.getGameStreams(game, walk),
        iter: ({ client }, game, walk) => client.iterGameStreams(game, walk),
        holds: (ground) => playing(ground, GAME).map(streamFacts),
        seen: seenStream,
        page: PAGE,
      }),
      walks(
        { tags: () => TAGS },
        {
          get: ({ client }, tags, walk) => client.getGameStreams(GAME, { ...walk, tags }),
          iter: ({ client }, tags, walk) => client.iterGameStreams(GAME, { ...walk, tags }),
          holds: (ground) => tagged(ground, ...TAGS).flatMap((stream) => (stream.game.name === GAME ? [streamFacts(stream)] : [])),
          seen: seenStream,
        },
      ),
      walks(
        { 'sort: VIEWER_COUNT_ASC': () => 'VIEWER_COUNT_ASC' as const },
        {
          get: ({ client }, sort, walk) => client.getGameStreams(GAME, { ...walk, sort }),
          iter: ({ client }, sort, walk) => client.iterGameStreams(GAME, { ...walk, sort }),
          // Of equally watched ones the first stays the first.
          holds: (ground) =>
            playing(ground, GAME)
              .toSorted((a, b) => a.viewerCount - b.viewerCount)
              .map(streamFacts),
          seen: seenStream,
        },
      ),
      walks(
        { 'sort: STARTED_AT': () => 'STARTED_AT' as const },
        {
          get: ({ client }, sort, walk) => client.getGameStreams(GAME, { ...walk, sort }),
          iter: ({ client }, sort, walk) => client.iterGameStreams(GAME, { ...walk, sort }),
          holds: (ground) =>
            playing(ground, GAME)
              .toSorted((a, b) => second(b) - second(a))
              .map(streamFacts),
          seen: seenStream,
        },
      ),
    ),
  ];
}

function second({ startedAt }: { readonly startedAt: Date }): number {
  return Math.floor(startedAt.getTime() / 1000);
}

/** How many channels are asked for at once: more than one request takes. */
const CHANNELS = 250;

export function getStreams(): Row<BotGround> {
  return row<BotGround>(
    'get_streams',
    walks(
      {
        'users: handles': ({ world }: BotGround) => world.people.slice(0, CHANNELS).map(({ handle }) => handle),
        'users: ids': ({ world }: BotGround) => world.people.slice(0, CHANNELS).map(({ id }) => id),
      },
      {
        get: ({ client }, users, walk) => client.getStreams({ ...walk, users }),
        iter: ({ client }, users, walk) => client.iterStreams({ ...walk, users }),
        holds: (ground) => {
          const asked = new Set(ground.world.people.slice(0, CHANNELS).map(({ id }) => id));
          return liveIn(ground).flatMap((stream) => (asked.has(stream.person.id) ? [streamFacts(stream)] : []));
        },
        seen: seenStream,
      },
    ),
    walks(
      { 'games: a name and an id': () => [GAME, { id: '509658' }] },
      {
        get: ({ client }, games, walk) => client.getStreams({ ...walk, games }),
        iter: ({ client }, games, walk) => client.iterStreams({ ...walk, games }),
        holds: (ground) =>
          liveIn(ground).flatMap((stream) => ([GAME, 'Just Chatting'].includes(stream.game.name) ? [streamFacts(stream)] : [])),
        seen: seenStream,
        page: PAGE,
      },
    ),
    walks(
      { languages: () => ['de', 'JA'] },
      {
        get: ({ client }, languages, walk) => client.getStreams({ ...walk, languages }),
        iter: ({ client }, languages, walk) => client.iterStreams({ ...walk, languages }),
        holds: (ground) => liveIn(ground).flatMap((stream) => (['de', 'ja'].includes(stream.language) ? [streamFacts(stream)] : [])),
        seen: seenStream,
        page: PAGE,
      },
    ),
  );
}
