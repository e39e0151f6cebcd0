import type { HistoryPlatform } from './history.ts';

/** What there is to know of what rules have seen. */
export const capabilities: HistoryPlatform['capabilities'] = {
  getEpisodes: { support: 'native', detail: 'Kept for 30 days after the end; the thousand that began last.' },
};
