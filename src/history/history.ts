import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as episodes from './episodes.ts';

/** The topics of `History`: every export is an operation. */
export const historyTopics = [episodes] as const;

/** What History is read from. */
export type HistoryPlatform = Platform<typeof episodes>;

/** Reads what rules have seen. */
export class History extends withOperations(...historyTopics) {}
