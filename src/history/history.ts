import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as episodes from './episodes.ts';

/** The topics of `History`: every export is an operation. */
export const historyTopics = [episodes] as const;

/** The platform of the history. */
export type HistoryPlatform = Platform<typeof episodes>;

/** Reads the past episodes of rules. */
export class History extends withOperations(...historyTopics) {}

/** The capabilities of the history. */
export const capabilities: HistoryPlatform['capabilities'] = {
  getEpisodes: { support: 'native', detail: 'Stored for 30 days after the end, at most the latest thousand.' },
};
