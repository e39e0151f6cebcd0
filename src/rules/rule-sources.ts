/** The last usable text of a rule file. */
export interface RuleSource {
  readonly file: string;
  readonly source: string;
}

/** Changes of rule files. */
interface SourceChanges {
  /** Each replaces the stored text of its file. */
  readonly save: readonly RuleSource[];
  /** The files that were deleted. */
  readonly forget: readonly string[];
}

/** Stores the last usable text of each rule file. */
export interface RuleSources {
  /** All stored texts, by file. */
  load(): Promise<ReadonlyMap<string, RuleSource>>;
  /** Applies all changes or none. */
  change(changes: SourceChanges): Promise<void>;
}
