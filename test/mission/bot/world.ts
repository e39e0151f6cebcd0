import { clipsOf, type Clip as WorldClip } from '#sandbox/twitch/helix/clips.ts';
import { type Video as WorldVideo, videosOf } from '#sandbox/twitch/helix/videos.ts';
import type { Broadcast, PastBroadcast, WorldGame, WorldPerson } from '#sandbox/world/world.ts';
import type { Clip, Game, Stream, User, Video } from '#src/streaming/records.ts';
import type { BotGround } from './ground.ts';

const DAY_MS = 86_400_000;
/** How long a channel keeps what streams left behind. */
const KEPT_MS = 14 * DAY_MS;
/** How long it stands under its game, and of how well known people. */
const UNDER_GAME_MS = 7 * DAY_MS;
const LEAST_RENOWN = 0.95;

/** Who is live, most watched first. */
export function liveIn({ world, nowMs }: BotGround): readonly Broadcast[] {
  return world.liveAt(nowMs).toSorted((a, b) => b.viewerCount - a.viewerCount || (a.id < b.id ? -1 : 1));
}

export function gameIn({ world }: BotGround, name: string): WorldGame {
  const game = world.games.find((one) => one.name === name);
  if (!game) throw new Error(`there is no game ${name}`);
  return game;
}

/** What the streams of somebody left behind. */
export function videosBy(ground: BotGround, person: WorldPerson): readonly WorldVideo[] {
  return streamsBy(ground, person).flatMap((stream) => videosOf(stream, ground.nowMs));
}

export function clipsBy(ground: BotGround, person: WorldPerson): readonly WorldClip[] {
  return streamsBy(ground, person).flatMap((stream) => clipsOf(stream, ground.nowMs));
}

export function videosUnder(ground: BotGround, game: WorldGame): readonly WorldVideo[] {
  return streamsUnder(ground, game).flatMap((stream) => videosOf(stream, ground.nowMs));
}

export function clipsUnder(ground: BotGround, game: WorldGame): readonly WorldClip[] {
  return streamsUnder(ground, game).flatMap((stream) => clipsOf(stream, ground.nowMs));
}

function streamsBy({ world, nowMs }: BotGround, person: WorldPerson): readonly PastBroadcast[] {
  return world.broadcastsBetween({ person, fromMs: nowMs - KEPT_MS, toMs: nowMs, atMs: nowMs });
}

function streamsUnder({ world, nowMs }: BotGround, game: WorldGame): readonly PastBroadcast[] {
  return world.broadcastsBetween({ game, leastRenown: LEAST_RENOWN, fromMs: nowMs - UNDER_GAME_MS, toMs: nowMs, atMs: nowMs });
}

/** Later ones first; platforms tell whole seconds. */
export function newestFirst<T extends { readonly id: string; readonly createdMs: number }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => secondOf(b) - secondOf(a) || b.createdMs - a.createdMs || (a.id < b.id ? 1 : -1));
}

export function mostViewedFirst<T extends { readonly id: string; readonly views: number }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => b.views - a.views || (a.id < b.id ? 1 : -1));
}

function secondOf({ createdMs }: { readonly createdMs: number }): number {
  return Math.floor(createdMs / 1000);
}

function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}

export function streamFacts({ id, person, game, title, tags, language, viewerCount, startedAt }: Broadcast): unknown {
  return {
    id,
    ownerId: person.id,
    handle: person.handle,
    displayName: person.displayName,
    game: [game.id, game.name],
    title,
    tags,
    language,
    viewerCount,
    startedAt: wholeSecond(startedAt.getTime()),
  };
}

export function seenStream({ id, owner, game, title, tags, language, viewerCount, startedAt }: Stream): unknown {
  const { id: ownerId, handle, displayName } = owner;
  return { id, ownerId, handle, displayName, game: [game?.id, game?.name], title, tags, language, viewerCount, startedAt };
}

export function videoFacts({ id, kind, broadcast, createdMs, durationSeconds, views }: WorldVideo): unknown {
  const { person, language } = broadcast;
  const createdAt = wholeSecond(createdMs);
  const streamId = kind === 'archive' ? broadcast.id : undefined;
  return {
    id,
    ownerId: person.id,
    handle: person.handle,
    kind,
    createdAt,
    durationMs: durationSeconds * 1000,
    viewCount: views,
    language,
    streamId,
  };
}

export function seenVideo({ id, owner, kind, createdAt, durationMs, viewCount, language, streamId }: Video): unknown {
  return { id, ownerId: owner.id, handle: owner.handle, kind, createdAt, durationMs, viewCount, language, streamId };
}

export function clipFacts({ id, broadcast, offsetSeconds, createdMs, views }: WorldClip): unknown {
  const { person, game, language } = broadcast;
  const createdAt = wholeSecond(createdMs);
  return {
    id,
    ownerId: person.id,
    handle: person.handle,
    gameId: game.id,
    createdAt,
    viewCount: views,
    language,
    vodOffsetMs: offsetSeconds * 1000,
  };
}

export function seenClip({ id, owner, gameId, createdAt, viewCount, language, vodOffsetMs }: Clip): unknown {
  return { id, ownerId: owner.id, handle: owner.handle, gameId, createdAt, viewCount, language, vodOffsetMs };
}

export function gameFacts({ id, name }: WorldGame): unknown {
  return { id, name };
}

export function seenGame({ id, name }: Game): unknown {
  return { id, name };
}

export function userFacts({ id, handle, displayName, bio, createdAt }: WorldPerson, isLive: boolean): unknown {
  return { id, handle, displayName, bio, createdAt: wholeSecond(createdAt.getTime()), isLive };
}

export function seenUser({ id, handle, displayName, bio, createdAt, isLive }: User): unknown {
  return { id, handle, displayName, bio, createdAt, isLive };
}
