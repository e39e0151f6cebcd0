// Channels of Twitch and Kick that begin and end streams, and the requests that polls of them need.
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import type { PollResult, Query } from '#src/engine/planner/query.ts';
import { BATCH } from './mixes.ts';

/** Each channel is live for an hour a day. */
const LIVE_MS = 3_600_000;
const DAY_S = 86_400;
/** Spreads the channels over the day. It has no common divisor with the seconds of a day. */
const STEP_S = 7_919;

/** A beginning or an end of a stream. */
interface ChannelEvent {
  readonly atMs: number;
  readonly channel: string;
  readonly isLive: boolean;
  readonly streamId: string;
}

/** The streams of all channels in a day. */
export interface World {
  /** The events in `[fromMs, untilMs)`, in order. */
  eventsBetween(fromMs: number, untilMs: number): readonly ChannelEvent[];
  /** Answers a query, and counts its requests. */
  poll(query: Query, nowMs: number): PollResult;
  /** The requests so far. */
  readonly requests: () => number;
}

/** Creates channels whose streams are spread evenly over the day, so that some of them end after `startMs`. */
export function createWorld(channels: readonly string[], startMs: number): World {
  let requests = 0;
  const beginMs = new Map(channels.map((channel, index) => [channel, startMs - LIVE_MS + ((index * STEP_S) % DAY_S) * 1_000]));

  const streamOf = (channel: string, nowMs: number): JsonObject | undefined => {
    const begunMs = beginMs.get(channel);
    if (begunMs === undefined || nowMs < begunMs || nowMs >= begunMs + LIVE_MS) return undefined;
    return {
      platform: 'twitch',
      id: `${channel}-${begunMs}`,
      url: `https://www.twitch.tv/${channel}`,
      owner: { platform: 'twitch', id: idOf(channel), handle: channel, displayName: channel },
      title: 'Until I win',
      viewerCount: 250,
      startedAt: new Date(begunMs).toISOString(),
    };
  };

  return {
    requests: () => requests,
    eventsBetween(fromMs, untilMs) {
      const events = beginMs.entries().flatMap(([channel, begunMs]) => {
        const streamId = `${channel}-${begunMs}`;
        return [
          { channel, streamId, atMs: begunMs, isLive: true },
          { channel, streamId, atMs: begunMs + LIVE_MS, isLive: false },
        ];
      });
      return events
        .filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
        .toArray()
        .toSorted((a, b) => a.atMs - b.atMs);
    },
    poll({ account, params }, nowMs) {
      const users = Array.isArray(params['users']) ? params['users'].map(String) : undefined;
      requests += users ? Math.ceil(users.length / (BATCH[account] ?? 1)) : 1;
      const items = users?.flatMap((user) => streamOf(user, nowMs) ?? []) ?? [];
      return { items, approximate: false, partialErrors: [] };
    },
  };
}

/** The id of the user of a channel. */
export const idOf = (channel: string): string => `id-${channel}`;

/** The channel of the user with this id. */
export const channelOf = (id: string): string => id.slice('id-'.length);

/** The part of a record that the repeats of hints read. */
export function asStreams(items: readonly unknown[]): readonly Stream[] {
  return items as readonly Stream[]; // the records of this world
}
