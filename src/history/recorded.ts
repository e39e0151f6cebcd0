import type { JsonObject } from '#src/operation/json.ts';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { Person } from '#src/operation/record.ts';
import { capabilities, type HistoryPlatform } from './history.ts';
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
  readonly spoke: boolean;
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

/** The largest number of episodes. Older ones are left out. */
const MOST = 1000;

export interface RecordedOptions {
  readonly episodes: EpisodeLog;
  readonly clock: Clock;
}

/** Creates the history from the stored episodes. */
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

function toEpisode({ id, rule, key, item, startedMs, closedMs, lengthMs, peak, spoke }: LoggedEpisode): Episode {
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
    spoke,
  };
}
