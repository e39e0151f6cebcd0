/** A look-up command, stored to run it again. */
export interface SavedView {
  readonly command: string;
  /** The options as the command encodes them. */
  readonly options: string;
}

/** Look-ups that are too long for the id of a button, under short ids. Retention: 30 days after the last use, at most 5000. */
export interface SavedViews {
  /** Stores a view and resolves with its id. Equal views have the same id. */
  keep(view: SavedView): Promise<string>;
  find(id: string): Promise<SavedView | undefined>;
}
