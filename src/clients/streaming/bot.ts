import { withOperations } from '#src/clients/operation/client.ts';
import type { PlatformOf } from '#src/clients/operation/platform.ts';
import * as chat from './chat.ts';
import * as clips from './clips.ts';
import * as followers from './followers.ts';
import * as games from './games.ts';
import * as schedule from './schedule.ts';
import * as search from './search.ts';
import * as streams from './streams.ts';
import * as users from './users.ts';
import * as videos from './videos.ts';

/** The topics of `Bot`: every export is an operation. */
export const streamingTopics = [users, followers, videos, clips, schedule, search, streams, games, chat] as const;

/** The operations of a streaming adapter. */
export type StreamingPlatform = PlatformOf<typeof streamingTopics>;

/** Reads the public data of a live-streaming platform, and writes in the chat of the signed-in channel. */
export class Bot extends withOperations(...streamingTopics) {}
