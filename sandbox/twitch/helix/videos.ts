import type { JsonObject } from '#src/clients/operation/json.ts';
import { Refusal } from '../../refusal.ts';
import { below, createDice } from '../../world/dice.ts';
import type { PastBroadcast, World, WorldGame, WorldPerson } from '../../world/world.ts';
import type { Pictures } from '../pictures.ts';
import { type HelixPage, type HelixRequest, type Query, cutPage, malformed, pageRequest, viewsBy, wireInstant } from './request.ts';

const DAY_MS = 24 * 3_600_000;
/** The retention period of videos, and of videos in the list of a game. */
const KEPT_MS = 14 * DAY_MS;
const KEPT_UNDER_GAME_MS = 7 * DAY_MS;
/** The least renown of a person in the videos of a game. */
const RENOWN_UNDER_GAME = 0.95;

/** The subject of a request for past streams. */
export interface Subject {
  readonly ids: readonly string[];
  readonly person: WorldPerson | undefined;
  readonly game: WorldGame | undefined;
}

/** Reads exactly one of `id`, the parameter for a person, and `game_id`. Unknown people are left out. */
export function readSubject(world: World, query: Query, personParameter: string): Subject {
  const [ids, personId, gameId] = [query.all('id'), query.one(personParameter), query.one('game_id')];
  const filterCount = Number(ids.length > 0) + Number(personId !== undefined) + Number(gameId !== undefined);
  if (filterCount !== 1) throw new Refusal(400, `Must provide exactly one of the parameters "id", "${personParameter}" and "game_id"`);
  if (!/^\d*$/.test(personId ?? '')) throw malformed(personParameter, 'the value must match the regular expression /^[0-9]+$/');
  return {
    ids,
    person: personId === undefined ? undefined : world.findPerson(personId),
    game: gameId === undefined ? undefined : world.findGame(gameId),
  };
}

/** The streams of a subject that began in `(fromMs, toMs]` and are retained at `atMs`. */
export function pastOf(
  world: World,
  { person, game }: Subject,
  { fromMs = -Infinity, toMs, atMs }: { readonly fromMs?: number | undefined; readonly toMs: number; readonly atMs: number },
): readonly PastBroadcast[] {
  if (person) return world.broadcastsBetween({ person, fromMs: Math.max(fromMs, atMs - KEPT_MS), toMs, atMs });
  if (!game) return [];
  const sinceMs = Math.max(fromMs, atMs - KEPT_UNDER_GAME_MS);
  return world.broadcastsBetween({ game, leastRenown: RENOWN_UNDER_GAME, fromMs: sinceMs, toMs, atMs });
}

const HOUR_MS = 3_600_000;
const VIDEOS_DAY_MS = 24 * HOUR_MS;
/** The greatest number of videos of a game. */
const MOST_OF_A_GAME = 500;

const kinds = ['archive', 'highlight', 'upload'] as const;
type Kind = (typeof kinds)[number];
const periodsMs = { all: KEPT_MS, day: VIDEOS_DAY_MS, week: 7 * VIDEOS_DAY_MS, month: 30 * VIDEOS_DAY_MS } as const;

// The data of a past stream depends on the id of the stream alone.
const dice = createDice(0, 'videos');

/** A video of a past stream. */
interface Video {
  readonly id: string;
  readonly kind: Kind;
  readonly broadcast: PastBroadcast;
  readonly createdMs: number;
  readonly durationSeconds: number;
  readonly views: number;
}

/** `GET /videos`: videos by id, user or game. */
export function getVideos({ world, query, nowMs, pictures, fault }: HelixRequest): HelixPage<JsonObject> {
  const subject = readSubject(world, query, 'user_id');
  if (subject.ids.length > 0) return { data: byId(world, subject.ids, nowMs).map((video) => toWire(video, pictures)), pagination: {} };

  const page = pageRequest(query, nowMs);
  const type = query.choice('type', ['all', ...kinds]);
  const oldestMs = page.atMs - periodsMs[query.choice('period', ['all', 'day', 'week', 'month'])];
  const language = subject.game ? query.one('language') : undefined;
  const videos = pastOf(world, subject, { toMs: page.atMs, atMs: page.atMs })
    .flatMap((broadcast) => videosOf(broadcast, page.atMs))
    .filter(({ kind, createdMs }) => (type === 'all' || kind === type) && createdMs >= oldestMs)
    .filter(({ broadcast }) => language === undefined || broadcast.language === language)
    .toSorted(orders(page.atMs)[query.choice('sort', ['time', 'views', 'trending'])])
    .slice(0, subject.game ? MOST_OF_A_GAME : undefined);
  const { data, pagination } = cutPage(videos, page, fault);
  return { data: data.map((video) => toWire(video, pictures)), pagination };
}

function orders(nowMs: number): Readonly<Record<'time' | 'views' | 'trending', (a: Video, b: Video) => number>> {
  const heat = ({ views, createdMs }: Video): number => views / (1 + (nowMs - createdMs) / VIDEOS_DAY_MS);
  return {
    time: (a, b) => b.createdMs - a.createdMs || (a.id < b.id ? 1 : -1),
    views: (a, b) => b.views - a.views || (a.id < b.id ? 1 : -1),
    trending: (a, b) => heat(b) - heat(a) || (a.id < b.id ? 1 : -1),
  };
}

function byId(world: World, ids: readonly string[], nowMs: number): readonly Video[] {
  const videos = ids.flatMap((id) => {
    const [, kind, broadcastId = ''] = /^2([012])(\d+)$/.exec(id) ?? [];
    const broadcast = world.findBroadcast(broadcastId, nowMs);
    return (broadcast && videoOf(broadcast, kinds[Number(kind)] ?? 'archive', nowMs)) ?? [];
  });
  if (videos.length === 0) throw new Refusal(404, 'Videos not found');
  return videos;
}

/** The videos of a stream at an instant. */
function videosOf(broadcast: PastBroadcast, nowMs: number): readonly Video[] {
  return kinds.flatMap((kind) => videoOf(broadcast, kind, nowMs) ?? []);
}

/** The video of a stream. Every stream has an archive, some have a highlight, and few have an upload. */
function videoOf(broadcast: PastBroadcast, kind: Kind, nowMs: number): Video | undefined {
  const number = Number(broadcast.id.slice(-9));
  const startMs = broadcast.startedAt.getTime();
  const endMs = broadcast.endedAt?.getTime() ?? nowMs;
  const luck = dice(number, kinds.indexOf(kind));
  const made = {
    archive: { createdMs: startMs, durationSeconds: Math.floor((endMs - startMs) / 1000), chance: 1 },
    highlight: { createdMs: endMs + 2 * HOUR_MS, durationSeconds: 240 + below(900, dice(number, 11)), chance: 0.15 },
    upload: { createdMs: endMs + 20 * HOUR_MS, durationSeconds: 480 + below(900, dice(number, 12)), chance: 0.07 },
  }[kind];
  const exists = luck < made.chance && (kind === 'archive' || broadcast.endedAt !== undefined) && made.createdMs <= nowMs;
  if (!exists || nowMs - made.createdMs > KEPT_MS) return undefined;
  const { createdMs, durationSeconds } = made;
  const views = viewsBy(nowMs - createdMs, broadcast.steadyViewers * (0.5 + 4 * dice(number, 13)));
  return { id: `2${kinds.indexOf(kind)}${broadcast.id}`, kind, broadcast, createdMs, durationSeconds, views };
}

function toWire({ id, kind, broadcast, createdMs, durationSeconds, views }: Video, pictures: Pictures): JsonObject {
  const { person, title, language } = broadcast;
  const created = wireInstant(new Date(createdMs));
  return {
    id,
    stream_id: kind === 'archive' ? broadcast.id : null,
    user_id: person.id,
    user_login: person.handle,
    user_name: person.displayName,
    title: kind === 'archive' ? title : `${kind === 'highlight' ? 'Highlight' : 'Cut'}: ${title}`,
    description: '',
    created_at: created,
    published_at: created,
    url: `https://www.twitch.tv/videos/${id}`,
    thumbnail_url: pictures.video(id),
    viewable: 'public',
    view_count: views,
    language,
    type: kind,
    duration: wireDuration(durationSeconds),
    muted_segments: null,
  };
}

/** A duration such as `3h8m33s`. */
function wireDuration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds % 60}s`;
}
