import { zone } from '#src/rules/clocks/zone.ts';
import type { RecordedOptions } from '#src/clients/history/recorded.ts';

/** A history in which nothing happened. */
export const emptyHistory: Pick<RecordedOptions, 'episodes' | 'deliveries' | 'outages' | 'totals' | 'zone'> = {
  episodes: { list: () => Promise.resolve([]) },
  totals: { list: () => Promise.resolve([]) },
  zone,
  outages: { all: () => Promise.resolve([]) },
  deliveries: { select: () => Promise.resolve([]), unfinishedSince: () => Promise.resolve(undefined) },
};
