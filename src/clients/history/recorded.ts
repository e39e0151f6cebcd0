import type { JsonObject } from '#src/clients/operation/json.ts';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { Postponed } from '#src/errors.ts';
import { Person } from '#src/clients/operation/record.ts';
import type { Catalogue } from '#src/clients/operation/declared.ts';
import { totalsByPeriod, type TotalsLog, type WallClock } from './totals-by-period.ts';
import { toOutages, type OutageLog } from './outage-log.ts';
import { isShown, toDelivery, type SentLog } from './delivery-log.ts';
import { capabilities, type HistoryPlatform } from './history.ts';
import { sinceMsOf } from './parameters.ts';
import type { Episode } from './records.ts';

/** A stored episode. */
export interface LoggedEpisode {
  readonly id: string;
  readonly rule: string;
  readonly key: string;
  /** The item at its last poll. */
  readonly item: JsonObject;
  readonly startedMs: number;
  readonly closedMs?: number | undefined;
  readonly lengthMs: number;
  readonly peak: Readonly<Record<string, number>>;
  readonly announced: boolean;
}

/** The stored episodes. */
export interface EpisodeLog {
  /** Latest beginning first. */
  list(filter: {
    /** The id of a rule, which includes all its instances, or of one instance. */
    readonly rule: string;
    /** Only episodes that lasted until then or longer. */
    readonly sinceMs?: number | undefined;
    readonly limit: number;
  }): Promise<readonly LoggedEpisode[]>;
}

/** The largest number of records. Older ones are left out. */
const MOST = 1000;

/** How long totals are kept. */
const TOTALS_MS = 400 * 86_400_000;
/** How often a look-up asks again while an earlier delivery is not finished. */
const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 5 * 60_000;

export interface RecordedOptions {
  readonly episodes: EpisodeLog;
  readonly deliveries: SentLog;
  readonly outages: OutageLog;
  readonly totals: TotalsLog;
  /** The clocks of a time zone. */
  readonly zone: (name: string) => WallClock;
  /** The operations of rules. */
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

/** Creates the history from what is stored. */
export function recorded({ episodes, deliveries, outages, totals, zone, catalogue, clock }: RecordedOptions): HistoryPlatform {
  /** The copy of a post is sent before the copy of its answer is looked up, even if one poll decided both. */
  async function untilFinished({
    rule,
    key,
    reader,
  }: {
    readonly rule: string;
    readonly key: string;
    readonly reader: string;
  }): Promise<void> {
    const nowMs = clock.nowMs();
    const sinceMs = await deliveries.unfinishedSince({ rule, key }, { before: reader, nowMs });
    if (sinceMs === undefined) return;
    const pauseMs = Math.min(Math.max((nowMs - sinceMs) / 10, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
    throw new Postponed('waits for an earlier delivery about the item', { until: new Date(nowMs + pauseMs) });
  }

  return {
    name: 'history',
    account: 'history',
    capabilities,
    operations: {
      async getEpisodes({ rule, since }) {
        const logged = await episodes.list({ rule, sinceMs: sinceMsOf(since, clock.nowMs()), limit: MOST });
        return { items: logged.map(toEpisode), ...(logged.length === MOST && { approximate: true }) };
      },

      async getTotals({ rule, by, since, timezone }) {
        const nowMs = clock.nowMs();
        const sinceMs = Math.max(sinceMsOf(since, nowMs) ?? 0, nowMs - TOTALS_MS);
        return { items: totalsByPeriod(await totals.list({ rule, sinceMs }), { by, clock: zone(timezone), sinceMs }) };
      },

      async getOutages() {
        return { items: toOutages(await outages.all()) };
      },

      async getDeliveries({ since, ...selection }, { reader }) {
        const { rule, key } = selection;
        if (reader !== undefined && rule !== undefined && key !== undefined) await untilFinished({ rule, key, reader });
        const sinceMs = sinceMsOf(since, clock.nowMs());
        const logged = await deliveries.select({ ...selection, sinceMs, accepts: (one) => isShown(one, catalogue), limit: MOST });
        return { items: logged.map((one) => toDelivery(one, catalogue)), ...(logged.length === MOST && { approximate: true }) };
      },
    },
  };
}

const text = z.string().optional().catch(undefined);
const person = Person.optional().catch(undefined);

/** The common fields of all records. */
const Item = z.object({
  platform: text,
  title: text,
  name: text,
  displayName: text,
  text,
  url: text,
  owner: person,
  author: person,
  visibility: z.enum(['public', 'unlisted', 'followers', 'direct', 'private']).optional().catch(undefined),
  game: z.object({ id: text, name: z.string() }).optional().catch(undefined),
});

function toEpisode({ id, rule, key, item, startedMs, closedMs, lengthMs, peak, announced }: LoggedEpisode): Episode {
  const { platform, title, name, displayName, text: itemText, url, owner, author, visibility, game } = Item.parse(item);
  return {
    id: `${rule}/${id}`,
    rule,
    key,
    platform,
    title: title ?? name ?? displayName ?? itemText,
    url,
    owner: owner ?? author,
    game,
    visibility,
    startedAt: new Date(startedMs),
    endedAt: closedMs === undefined ? undefined : new Date(closedMs),
    lengthMs,
    peak: { ...peak },
    announced,
  };
}
