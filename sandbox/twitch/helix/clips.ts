import type { JsonObject } from '#src/clients/operation/json.ts';
import { below, createDice, pick } from '../../world/dice.ts';
import type { PastBroadcast, World } from '../../world/world.ts';
import type { Pictures } from '../pictures.ts';
import { type HelixPage, type HelixRequest, cutPage, pageRequest, viewsBy, wireInstant } from './request.ts';
import { pastOf, readSubject } from './videos.ts';

const DAY_MS = 24 * 3_600_000;
/** The length of a window without an end. */
const WINDOW_MS = 7 * DAY_MS;
/** The greatest number of clips of a query. */
const MOST_CLIPS = 1000;
const MOST_OF_A_STREAM = 3;

const dice = createDice(0, 'clips');
const moods = ['Brave', 'Tidy', 'Wobbly', 'Sincere', 'Spicy', 'Placid', 'Crooked', 'Gleaming'] as const;
const things = ['Teapot', 'Otter', 'Umbrella', 'Pancake', 'Lantern', 'Walnut', 'Trombone', 'Cactus'] as const;
const captions = [
  'how did that work',
  'he looked away for ONE second',
  'clutch',
  'the cat again',
  'this run is cursed',
  'WAIT',
  'gg',
] as const;

/** A clip of a stream. */
interface Clip {
  readonly id: string;
  readonly number: number;
  readonly broadcast: PastBroadcast;
  readonly offsetSeconds: number;
  readonly createdMs: number;
  readonly views: number;
}

/** `GET /clips`: the clips of a broadcaster or a game by views, or clips by id. */
export function getClips({ world, query, nowMs, pictures, fault }: HelixRequest): HelixPage<JsonObject> {
  const subject = readSubject(world, query, 'broadcaster_id');
  const toRow = (clip: Clip): JsonObject => toWire(clip, world, pictures);
  if (subject.ids.length > 0) return { data: subject.ids.flatMap((id) => byId(world, id, nowMs) ?? []).map(toRow), pagination: {} };

  const page = pageRequest(query, nowMs);
  const startedMs = query.instant('started_at');
  const endedMs = query.instant('ended_at') ?? (startedMs === undefined ? Infinity : startedMs + WINDOW_MS);
  const featured = query.flag('is_featured');
  // A stream that began a day before the window can have clips in the window.
  const past = pastOf(world, subject, {
    fromMs: startedMs === undefined ? undefined : startedMs - DAY_MS,
    toMs: Math.min(page.atMs, endedMs),
    atMs: page.atMs,
  });
  const clips = past
    .flatMap((broadcast) => clipsOf(broadcast, page.atMs))
    .filter(({ createdMs }) => createdMs >= (startedMs ?? -Infinity) && createdMs < endedMs)
    .filter(({ number }) => featured === undefined || isFeatured(number) === featured)
    .toSorted((a, b) => b.views - a.views || (a.id < b.id ? 1 : -1))
    .slice(0, MOST_CLIPS);
  const { data, pagination } = cutPage(clips, page, fault);
  return { data: data.map(toRow), pagination };
}

function byId(world: World, id: string, nowMs: number): Clip | undefined {
  const [, text = ''] = /^[A-Za-z]+-([0-9a-z]+)-\d$/.exec(id) ?? [];
  const broadcast = world.findBroadcast(String(Number.parseInt(text, 36)), nowMs);
  return broadcast && clipsOf(broadcast, nowMs).find((clip) => clip.id === id);
}

/** The clips of a stream until an instant. */
function clipsOf(broadcast: PastBroadcast, nowMs: number): readonly Clip[] {
  const startMs = broadcast.startedAt.getTime();
  const lengthSeconds = ((broadcast.endedAt?.getTime() ?? nowMs) - startMs) / 1000;
  const clips: Clip[] = [];
  for (let index = 0; index < MOST_OF_A_STREAM; index++) {
    const number = Number(broadcast.id.slice(-8)) * MOST_OF_A_STREAM + index;
    const offsetSeconds = 60 + below(7200, dice(number, 1) ** 2);
    // Streams with more viewers have more clips.
    const clipped = dice(number, 2) < Math.min(0.9, broadcast.steadyViewers / 400);
    if (!clipped || offsetSeconds > lengthSeconds) continue;
    const createdMs = startMs + offsetSeconds * 1000;
    const name = pick(moods, dice(number, 3)) + pick(things, dice(number, 4));
    const id = `${name}-${Number(broadcast.id).toString(36)}-${index}`;
    const views = viewsBy(nowMs - createdMs, broadcast.steadyViewers * (0.2 + 6 * dice(number, 5) ** 3));
    clips.push({ id, number, broadcast, offsetSeconds, createdMs, views });
  }
  return clips;
}

function isFeatured(number: number): boolean {
  return dice(number, 6) < 0.1;
}

function toWire({ id, number, broadcast, offsetSeconds, createdMs, views }: Clip, world: World, pictures: Pictures): JsonObject {
  const { person, game, language } = broadcast;
  const creator = pick(world.people, dice(number, 7));
  return {
    id,
    url: `https://clips.twitch.tv/${id}`,
    embed_url: `https://clips.twitch.tv/embed?clip=${id}`,
    broadcaster_id: person.id,
    broadcaster_name: person.displayName,
    creator_id: creator.id,
    creator_name: creator.displayName,
    video_id: `20${broadcast.id}`,
    game_id: game.id,
    language,
    title: pick(captions, dice(number, 8)),
    view_count: views,
    created_at: wireInstant(new Date(createdMs)),
    thumbnail_url: pictures.clip(id),
    duration: (50 + below(550, dice(number, 9))) / 10,
    vod_offset: offsetSeconds,
    is_featured: isFeatured(number),
  };
}
