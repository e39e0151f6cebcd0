/** A rule file as it was when it could last run. */
export interface RuleSource {
  readonly file: string;
  readonly source: string;
  readonly savedAt: Date;
}

/** What became of rule files. */
interface SourceChanges {
  /** Each takes the place of what was kept of the file before. */
  readonly save: readonly Pick<RuleSource, 'file' | 'source'>[];
  /** Files that are no more. */
  readonly forget: readonly string[];
}

/** Where the last good text of each rule file is kept; the store fills it. */
export interface RuleSources {
  /** By file. */
  load(): Promise<ReadonlyMap<string, RuleSource>>;
  /** Writes all of it or nothing. */
  change(changes: SourceChanges): Promise<void>;
}
