import { withOperations } from '#src/clients/operation/client.ts';
import type { PlatformOf } from '#src/clients/operation/platform.ts';
import * as deliveries from './deliveries.ts';
import * as episodes from './episodes.ts';
import * as outages from './outages.ts';
import * as totals from './totals.ts';

/** The topics of `History`: every export is an operation. */
export const historyTopics = [episodes, deliveries, outages, totals] as const;

/** The platform of the history. */
export type HistoryPlatform = PlatformOf<typeof historyTopics>;

/** Reads what rules did. */
export class History extends withOperations(...historyTopics) {}

/** The capabilities of the history. */
export const capabilities: HistoryPlatform['capabilities'] = {
  getEpisodes: { support: 'native', detail: 'Stored for 30 days after the end, at most the latest thousand.' },
  getTotals: { support: 'native', detail: 'Kept for 400 days.' },
  getOutages: { support: 'native', detail: 'Each account that failed, until it works again, and at most for a day without a use.' },
  getDeliveries: { support: 'native', detail: 'Stored for 90 days, at most the latest thousand.' },
};
