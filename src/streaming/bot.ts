import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as games from './games.ts';
import * as streams from './streams.ts';
import * as users from './users.ts';

/** The topics of `Bot`: every export is an operation. */
export const streamingTopics = [users, streams, games] as const;

/** What a streaming adapter fills. */
export type StreamingPlatform = Platform<typeof users & typeof streams & typeof games>;

/** Reads the public data of a live-streaming platform. */
export class Bot extends withOperations(users, streams, games) {}
