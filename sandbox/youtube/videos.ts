import { hash } from 'node:crypto';
import { below, createDice } from '../world/dice.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { PastBroadcast, World, WorldPerson } from '../world/world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The age of the oldest uploads, and of the oldest recordings. */
const KEPT_MS = 14 * DAY_MS;
const RECORDED_MS = 4 * DAY_MS;
const ANNOUNCED_EACH_MS = 6 * HOUR_MS;
const PREMIERE_MS = 10 * 60_000;

const dice = createDice(0, 'youtube');

/** A video at an instant. */
export interface YoutubeVideo {
  readonly id: string;
  readonly person: WorldPerson;
  readonly kind: 'upload' | 'short' | 'stream' | 'premiere';
  readonly title: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly publishedMs: number;
  /** 0 until a stream has ended. */
  readonly durationMs: number;
  readonly viewCount: number;
  readonly state: 'none' | 'live' | 'upcoming';
  /** When a stream or a premiere starts, or has started. */
  readonly startsMs?: number | undefined;
  readonly endedMs?: number | undefined;
  readonly viewers?: number | undefined;
}

/** The world with the ids of YouTube. */
export interface YoutubeWorld {
  readonly people: readonly WorldPerson[];
  channelId(person: WorldPerson): string;
  byChannel(id: string): WorldPerson | undefined;
  byHandle(handle: string): WorldPerson | undefined;
  streamId(broadcastId: string): string;
  /** The videos of a channel, newest first. */
  videosOf(person: WorldPerson, nowMs: number): readonly YoutubeVideo[];
  find(id: string, nowMs: number): YoutubeVideo | undefined;
  /** The live streams by viewers. */
  live(nowMs: number): readonly YoutubeVideo[];
}

const channelId = ({ id }: WorldPerson): string => `UC${hash('sha256', `youtube ${id}`, 'base64url').slice(0, 22)}`;

const indexesAmong = memoize((people: readonly WorldPerson[]) => ({
  byChannel: new Map(people.map((person) => [channelId(person), person])),
  indexOf: new Map(people.map(({ id }, index) => [id, index])),
}));

export function youtubeWorld(world: World): YoutubeWorld {
  const { people } = world;
  const { byChannel, indexOf } = indexesAmong(people);
  const streamId = (broadcastId: string): string => `L${broadcastId.padStart(10, '0')}`;
  const idOf = (letter: string, person: WorldPerson, number: number): string =>
    `${letter}${String(indexOf.get(person.id)).padStart(5, '0')}${String(number).padStart(5, '0')}`;

  function toVideo(past: PastBroadcast, nowMs: number): YoutubeVideo {
    const { person, startedAt, endedAt } = past;
    const startsMs = startedAt.getTime();
    const endedMs = endedAt?.getTime();
    const now = endedMs === undefined ? world.liveAt(nowMs).find(({ id }) => id === past.id) : undefined;
    return {
      id: streamId(past.id),
      person,
      kind: 'stream',
      title: now?.title ?? past.title,
      tags: now?.tags ?? [],
      language: past.language,
      publishedMs: startsMs,
      durationMs: endedMs === undefined ? 0 : Math.floor((endedMs - startsMs) / 1000) * 1000,
      viewCount: past.steadyViewers * 3,
      state: now ? 'live' : 'none',
      startsMs,
      endedMs,
      viewers: now?.viewerCount,
    };
  }

  function streamsOf(person: WorldPerson, nowMs: number): readonly YoutubeVideo[] {
    return world.broadcastsBetween({ person, fromMs: nowMs - RECORDED_MS, toMs: nowMs, atMs: nowMs }).map((past) => toVideo(past, nowMs));
  }

  /** An upload and a Short each second day, a stream that is announced for tomorrow, and a premiere each evening. */
  function otherVideosOf(person: WorldPerson, nowMs: number): readonly YoutubeVideo[] {
    const today = Math.floor(nowMs / DAY_MS);
    const { language, displayName } = person;
    const made = Array.from({ length: KEPT_MS / DAY_MS }, (_, ago): readonly YoutubeVideo[] => {
      const day = today - ago;
      const isShort = (day + Number(person.id)) % 2 === 0;
      const publishedMs = day * DAY_MS + below(12, dice(day, Number(person.id))) * HOUR_MS;
      if (publishedMs > nowMs) return [];
      return [
        {
          id: idOf(isShort ? 'S' : 'V', person, day),
          person,
          kind: isShort ? 'short' : 'upload',
          title: isShort ? `${displayName} in a minute` : `${displayName}: part ${day % 100}`,
          tags: [],
          language,
          publishedMs,
          durationMs: isShort ? 45_000 : 754_000,
          viewCount: 100 + ago * 50,
          state: 'none',
        },
      ];
    }).flat();
    const premiereMs = today * DAY_MS + 20 * HOUR_MS;
    const announcedMs = (today + 1) * DAY_MS + 18 * HOUR_MS;
    const announcement = Math.floor(nowMs / ANNOUNCED_EACH_MS);
    const announced: readonly YoutubeVideo[] = [
      {
        id: idOf('U', person, announcement),
        person,
        kind: 'stream',
        title: `${displayName} is back tomorrow`,
        tags: [],
        language,
        publishedMs: announcement * ANNOUNCED_EACH_MS,
        durationMs: 0,
        viewCount: 0,
        state: 'upcoming',
        startsMs: announcedMs,
      },
      {
        id: idOf('P', person, today),
        person,
        kind: 'premiere',
        title: `The film of ${displayName}`,
        tags: [],
        language,
        publishedMs: today * DAY_MS + 10 * HOUR_MS,
        durationMs: PREMIERE_MS,
        viewCount: 10,
        state: nowMs < premiereMs ? 'upcoming' : nowMs < premiereMs + PREMIERE_MS ? 'live' : 'none',
        startsMs: premiereMs,
        viewers: nowMs >= premiereMs && nowMs < premiereMs + PREMIERE_MS ? 7 : undefined,
      },
    ];
    return [...made, ...announced.filter(({ publishedMs }) => publishedMs <= nowMs)];
  }

  const videosOf = (person: WorldPerson, nowMs: number): readonly YoutubeVideo[] =>
    [...streamsOf(person, nowMs), ...otherVideosOf(person, nowMs)].toSorted((a, b) => b.publishedMs - a.publishedMs);

  return {
    people,
    channelId,
    byChannel: (id) => byChannel.get(id),
    byHandle: (handle) => people.find((person) => person.handle === handle.replace(/^@/u, '').toLowerCase()),
    streamId,
    videosOf,
    find(id, nowMs) {
      if (id.startsWith('L')) {
        const past = world.findBroadcast(id.slice(1).replace(/^0+/u, ''), nowMs);
        return past && toVideo(past, nowMs);
      }
      const person = people[Number(id.slice(1, 6))];
      return person && otherVideosOf(person, nowMs).find((video) => video.id === id);
    },
    live: (nowMs) =>
      world.liveAt(nowMs).flatMap(({ id }) => {
        const past = world.findBroadcast(id, nowMs);
        return past ? [toVideo(past, nowMs)] : [];
      }),
  };
}
