/** Something that was looked up, so that it can be looked up again. */
export interface SavedView {
  readonly command: string;
  /** In the words of the command. */
  readonly options: string;
}

/** What buttons have no room for, under short ids: kept for 30 days from its last use, and the latest 5000. */
export interface SavedViews {
  /** Its id, the same for the same view. */
  keep(view: SavedView): Promise<string>;
  find(id: string): Promise<SavedView | undefined>;
}
