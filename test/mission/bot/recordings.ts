import type { ClipSort, VideoSort } from '#src/streaming/enumerations.ts';
import { row, walks, type Case, type Forms, type Row } from '../rows.ts';
import { gameForms, userForms } from './forms.ts';
import type { BotGround } from './ground.ts';
import {
  clipFacts,
  clipsBy,
  clipsUnder,
  gameIn,
  mostViewedFirst,
  newestFirst,
  seenClip,
  seenVideo,
  videoFacts,
  videosBy,
  videosUnder,
} from './world.ts';

const PAGE = 100;
const DAY_MS = 86_400_000;
/** A game shows no more videos, and a query finds no more clips. */
const MOST_VIDEOS = 500;
const MOST_CLIPS = 1000;
const GAME = 'VALORANT';
/** One with fewer recordings than the platform shows. */
const SMALL_GAME = 'Fortnite';

type Videos = ReturnType<typeof videosBy>;
type Clips = ReturnType<typeof clipsBy>;

/** What is seen the most for its age. */
function trendingFirst(videos: Videos, nowMs: number): Videos {
  const heat = ({ views, createdMs }: Videos[number]): number => views / (1 + (nowMs - createdMs) / DAY_MS);
  return videos.toSorted((a, b) => heat(b) - heat(a) || (a.id < b.id ? 1 : -1));
}

const videoOrders: Readonly<Record<VideoSort, (videos: Videos, ground: BotGround) => Videos>> = {
  TIME: newestFirst,
  VIEWS: mostViewedFirst,
  VIEWER_COUNT: mostViewedFirst,
  TRENDING: (videos, { nowMs }) => trendingFirst(videos, nowMs),
};

function since(clips: Clips, days: number, { nowMs }: BotGround): Clips {
  return clips.filter(({ createdMs }) => createdMs >= nowMs - days * DAY_MS && createdMs < nowMs);
}

const clipOrders: Readonly<Record<ClipSort, (clips: Clips, ground: BotGround) => Clips>> = {
  TIME: newestFirst,
  VIEWS: mostViewedFirst,
  VIEWER_COUNT: mostViewedFirst,
  ALL_TIME: mostViewedFirst,
  LAST_DAY: (clips, ground) => mostViewedFirst(since(clips, 1, ground)),
  LAST_WEEK: (clips, ground) => mostViewedFirst(since(clips, 7, ground)),
  LAST_MONTH: (clips, ground) => mostViewedFirst(since(clips, 30, ground)),
};

/** One form for each value of an enumeration. */
function sorts<S extends string>(orders: Readonly<Record<S, unknown>>): Forms<BotGround, S> {
  const values = Object.keys(orders) as S[]; // a Record has these keys and no others
  return Object.fromEntries(values.map((sort) => [`sort: ${sort}`, () => sort]));
}

export function userRecordings(): readonly Row<BotGround>[] {
  return [
    row<BotGround>(
      'get_user_videos',
      walks(
        userForms(({ busy }) => busy),
        {
          get: ({ client }, user, walk) => client.getUserVideos(user, walk),
          iter: ({ client }, user, walk) => client.iterUserVideos(user, walk),
          holds: (ground) => newestFirst(videosBy(ground, ground.busy)).map(videoFacts),
          seen: seenVideo,
          page: PAGE,
        },
      ),
      walks(sorts(videoOrders), {
        get: ({ client, busy }, sort, walk) => client.getUserVideos(busy.handle, { ...walk, sort }),
        iter: ({ client, busy }, sort, walk) => client.iterUserVideos(busy.handle, { ...walk, sort }),
        holds: (ground, sort) => videoOrders[sort](videosBy(ground, ground.busy), ground).map(videoFacts),
        seen: seenVideo,
        page: PAGE,
      }),
    ),
    row<BotGround>(
      'get_user_clips',
      walks(
        userForms(({ busy }) => busy),
        {
          get: ({ client }, user, walk) => client.getUserClips(user, walk),
          iter: ({ client }, user, walk) => client.iterUserClips(user, walk),
          holds: (ground) => newestFirst(clipsBy(ground, ground.busy)).map(clipFacts),
          seen: seenClip,
        },
      ),
      walks(sorts(clipOrders), {
        get: ({ client, busy }, sort, walk) => client.getUserClips(busy.id, { ...walk, sort }),
        iter: ({ client, busy }, sort, walk) => client.iterUserClips(busy.id, { ...walk, sort }),
        holds: (ground, sort) => clipOrders[sort](clipsBy(ground, ground.busy), ground).map(clipFacts),
        seen: seenClip,
      }),
    ),
  ];
}

export function gameRecordings(): readonly Row<BotGround>[] {
  return [
    row<BotGround>(
      'get_game_clips',
      walks(gameForms(SMALL_GAME), {
        get: ({ client }, game, walk) => client.getGameClips(game, walk),
        iter: ({ client }, game, walk) => client.iterGameClips(game, walk),
        holds: (ground) => mostViewedFirst(clipsUnder(ground, gameIn(ground, SMALL_GAME))).map(clipFacts),
        seen: seenClip,
        page: PAGE,
      }),
      walks(sorts(clipOrders), {
        get: ({ client }, sort, walk) => client.getGameClips(SMALL_GAME, { ...walk, sort }),
        iter: ({ client }, sort, walk) => client.iterGameClips(SMALL_GAME, { ...walk, sort }),
        holds: (ground, sort) => clipOrders[sort](clipsUnder(ground, gameIn(ground, SMALL_GAME)), ground).map(clipFacts),
        seen: seenClip,
      }),
      walks(
        { 'languages: str': (): string | string[] => 'de,JA', 'languages: a list': () => ['DE', 'ja'] },
        {
          get: ({ client }, languages, walk) => client.getGameClips(SMALL_GAME, { ...walk, sort: 'TIME', languages }),
          iter: ({ client }, languages, walk) => client.iterGameClips(SMALL_GAME, { ...walk, sort: 'TIME', languages }),
          holds: (ground) =>
            newestFirst(clipsUnder(ground, gameIn(ground, SMALL_GAME)))
              .filter(({ broadcast }) => ['de', 'ja'].includes(broadcast.language))
              .map(clipFacts),
          seen: seenClip,
        },
      ),
      walks(
        { 'sort: of more clips than a query finds': () => GAME },
        {
          get: ({ client }, game, walk) => client.getGameClips(game, walk),
          holds: (ground) =>
            mostViewedFirst(clipsUnder(ground, gameIn(ground, GAME)))
              .slice(0, MOST_CLIPS)
              .map(clipFacts),
          seen: seenClip,
          page: PAGE,
        },
      ),
    ),
    row<BotGround>(
      'get_game_videos',
      walks(gameForms(SMALL_GAME), {
        get: ({ client }, game, walk) => client.getGameVideos(game, walk),
        iter: ({ client }, game, walk) => client.iterGameVideos(game, walk),
        holds: (ground) => mostViewedFirst(videosUnder(ground, gameIn(ground, SMALL_GAME))).map(videoFacts),
        seen: seenVideo,
        page: PAGE,
      }),
      walks(sorts(videoOrders), {
        get: ({ client }, sort, walk) => client.getGameVideos(SMALL_GAME, { ...walk, sort }),
        iter: ({ client }, sort, walk) => client.iterGameVideos(SMALL_GAME, { ...walk, sort }),
        holds: (ground, sort) => videoOrders[sort](videosUnder(ground, gameIn(ground, SMALL_GAME)), ground).map(videoFacts),
        seen: seenVideo,
        page: PAGE,
      }),
      walks(
        { 'sort: of more videos than a game shows': () => GAME },
        {
          get: ({ client }, game, walk) => client.getGameVideos(game, walk),
          holds: (ground, game) =>
            mostViewedFirst(videosUnder(ground, gameIn(ground, game)))
              .slice(0, MOST_VIDEOS)
              .map(videoFacts),
          seen: seenVideo,
          page: PAGE,
        },
      ),
      ...(['de', 'de, FR'] as const).map((languages) => inLanguages(`languages: str ${languages}`, languages)),
      inLanguages('languages: a list', ['FR', 'de']),
    ),
  ];
}

function inLanguages(form: string, languages: string | string[]): readonly Case<BotGround>[] {
  const codes = (typeof languages === 'string' ? languages.split(', ') : languages).map((code) => code.toLowerCase());
  return walks(
    { [form]: () => languages },
    {
      get: ({ client }, wanted, walk) => client.getGameVideos(SMALL_GAME, { ...walk, sort: 'TIME', languages: wanted }),
      iter: ({ client }, wanted, walk) => client.iterGameVideos(SMALL_GAME, { ...walk, sort: 'TIME', languages: wanted }),
      holds: (ground) =>
        newestFirst(videosUnder(ground, gameIn(ground, SMALL_GAME)))
          .filter(({ broadcast }) => codes.includes(broadcast.language))
          .map(videoFacts),
      seen: seenVideo,
    },
  );
}
