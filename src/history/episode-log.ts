import type { JsonObject } from '#src/operation/json.ts';

/** The life of an item, as it is kept. */
export interface LoggedEpisode {
  readonly id: string;
  readonly rule: string;
  readonly key: string;
  /** As last seen. */
  readonly item: JsonObject;
  readonly startedMs: number;
  readonly closedMs?: number | undefined;
  readonly lengthMs: number;
  readonly peak: Readonly<Record<string, number>>;
  readonly spoke: boolean;
}

/** Where episodes are kept; the store fills it. */
export interface EpisodeLog {
  /** Those that began last come first. */
  list(filter: {
    /** As its author wrote it, which means all its instances, or one of them. */
    readonly rule: string;
    /** Those that lasted until then, or longer. */
    readonly sinceMs?: number | undefined;
    readonly limit: number;
  }): Promise<readonly LoggedEpisode[]>;
}
