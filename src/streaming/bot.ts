import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as clips from './clips.ts';
import * as games from './games.ts';
import * as search from './search.ts';
import * as streams from './streams.ts';
import * as users from './users.ts';
import * as videos from './videos.ts';

/** The topics of `Bot`: every export is an operation. */
export const streamingTopics = [users, videos, clips, search, streams, games] as const;

/** The operations of a streaming adapter. */
export type StreamingPlatform = Platform<typeof users & typeof videos & typeof clips & typeof search & typeof streams & typeof games>;

/** Reads the public data of a live-streaming platform. */
export class Bot extends withOperations(users, videos, clips, search, streams, games) {}
