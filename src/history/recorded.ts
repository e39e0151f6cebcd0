import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { Person } from '#src/operation/record.ts';
import { capabilities } from './capabilities.ts';
import type { EpisodeLog, LoggedEpisode } from './episode-log.ts';
import type { HistoryPlatform } from './history.ts';
import type { Episode } from './records.ts';

/** More than that began in 30 days: the oldest are left out. */
const MOST = 1000;

export interface RecordedOptions {
  readonly episodes: EpisodeLog;
  readonly clock: Clock;
}

/** The history that Fanfare itself keeps. */
export function recorded({ episodes, clock }: RecordedOptions): HistoryPlatform {
  return {
    name: 'history',
    account: 'history',
    capabilities,
    operations: {
      async getEpisodes({ rule, since }) {
        const sinceMs = typeof since === 'number' ? clock.nowMs() - since : since?.getTime();
        const logged = await episodes.list({ rule, sinceMs, limit: MOST });
        return { items: logged.map(toEpisode), ...(logged.length === MOST && { approximate: true }) };
      },
    },
  };
}

const text = z.string().optional().catch(undefined);
const person = Person.optional().catch(undefined);

/** What records have in common, whatever they are of. */
const Item = z.object({
  platform: text,
  title: text,
  name: text,
  displayName: text,
  text,
  url: text,
  owner: person,
  author: person,
  game: z.object({ id: text, name: z.string() }).optional().catch(undefined),
});

function toEpisode({ id, rule, key, item, startedMs, closedMs, lengthMs, peak, spoke }: LoggedEpisode): Episode {
  const { platform, title, name, displayName, text: said, url, owner, author, game } = Item.parse(item);
  return {
    id: `${rule}/${id}`,
    rule,
    key,
    platform,
    title: title ?? name ?? displayName ?? said,
    url,
    owner: owner ?? author,
    game,
    startedAt: new Date(startedMs),
    endedAt: closedMs === undefined ? undefined : new Date(closedMs),
    lengthMs,
    peak: { ...peak },
    spoke,
  };
}
