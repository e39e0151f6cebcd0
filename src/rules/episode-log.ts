import type { Listing, ListingOptions } from '#src/clients/operation/listing.ts';
import type { Episode } from './episode.ts';
import type { Item } from './poll.ts';

/** An episode for readers. */
export interface LoggedEpisode {
  readonly id: string;
  /** The id of the rule. An instance of `each` has the names of its values in it. */
  readonly rule: string;
  readonly key: string;
  /** The item as last seen. */
  readonly item: Item;
  readonly startedMs: number;
  readonly openedMs: number;
  readonly closedMs?: number | undefined;
  /** The time until the last poll that had the item. */
  readonly lengthMs: number;
  /** The greatest value of each numeric field so far. */
  readonly peak: Readonly<Record<string, number>>;
  readonly phase: Exclude<Episode['phase'], 'pending'>;
  /** Whether the episode was announced. */
  readonly announced: boolean;
}

/** An episode in any phase, with the instants at which its phases began, in milliseconds since 1970. */
export interface EpisodePhases extends Pick<
  Episode,
  'id' | 'key' | 'item' | 'phase' | 'firstSeenMs' | 'startedMs' | 'openedMs' | 'lastSeenMs' | 'missingSinceMs' | 'closedMs' | 'suppressedBy'
> {
  /** Whether the episode was announced. */
  readonly announced: boolean;
}

interface EpisodePageQuery extends ListingOptions {
  /** The id of a rule or of one instance. */
  readonly rule: string;
}

interface EpisodeFilter {
  /** The id in the file, for all instances, or the id of one instance. */
  readonly rule: string;
  /** Only episodes that lasted until then, or longer. */
  readonly sinceMs?: number | undefined;
  readonly limit?: number | undefined;
}

/** The item of an episode as last seen. */
type EpisodeItem = Pick<LoggedEpisode, 'rule' | 'id' | 'key' | 'item'>;

/** The open episodes and the episodes that closed in the last 30 days. */
export interface EpisodeLog {
  /** The newest episodes first, without pending ones. */
  list(filter: EpisodeFilter): Promise<readonly LoggedEpisode[]>;
  /** A page of the episodes of one rule, newest first, also pending ones. A foreign cursor is a `CursorError`. */
  page(query: EpisodePageQuery): Promise<Listing<EpisodePhases>>;
  /** Those of these episodes that are open. */
  open(episodes: readonly Pick<EpisodeItem, 'rule' | 'id'>[]): Promise<readonly LoggedEpisode[]>;
  /** The items of the stored episodes with these ids, in any phase. */
  items(episodes: readonly Pick<EpisodeItem, 'rule' | 'id'>[]): Promise<readonly EpisodeItem[]>;
}
