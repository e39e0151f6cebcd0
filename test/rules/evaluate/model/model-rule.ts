/** A rule of the model. Times are minutes. */
export interface ModelRule {
  readonly kind: 'live' | 'ranking' | 'feed' | 'set' | 'one';
  readonly changes: readonly ModelChange[];
  readonly per: 'item' | 'poll' | 'slot';
  /** Whether it has `while` and `finally`. */
  readonly hasUpdates: boolean;
  readonly confirm: { readonly new: number; readonly gone: number };
  readonly settle: number;
  readonly grace: number;
  readonly first: 'silent' | 'fire';
  readonly take: number;
  readonly maxAge: number;
  readonly cooldown: { readonly for: number; readonly per: 'item' | 'rule' };
  readonly fuse: { readonly firings: number; readonly per: number };
  readonly mode: 'queued' | 'single' | 'restart' | 'parallel';
  readonly max: number;
  readonly quiet: ModelQuiet | undefined;
}

export type ModelChange =
  | { readonly kind: 'entered' | 'left' }
  | { readonly kind: 'moved'; readonly direction?: 'up' | 'down' | undefined }
  | { readonly kind: 'changed'; readonly fields: readonly ('title' | 'game.name')[] }
  | { readonly kind: 'rose' | 'fell'; readonly lines: readonly { readonly at: number; readonly rearm: number }[] };

export interface ModelQuiet {
  /** Minutes after midnight. */
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly then: 'hold' | 'drop' | 'steps';
}

/** One item of a list. */
export interface Sight {
  readonly key: string;
  readonly broadcast: string;
  /** Whether it fits `where`. */
  readonly counts: boolean;
  /** Whether it fits `if`. */
  readonly loud: boolean;
  /** When the item began, if the list has its start. */
  readonly began: number | undefined;
  readonly title: string;
  readonly game: string | undefined;
  readonly viewers: number | undefined;
}

/** A good poll. */
export interface ModelPoll {
  readonly now: number;
  readonly sights: readonly Sight[];
  /** Whether no page failed. */
  readonly complete: boolean;
  /** Whether pages were left unread. */
  readonly more: boolean;
  /** Whether an item without a key is before the others. */
  readonly keyless: boolean;
  /** The name of the list. It changes with an edit. */
  readonly list: string;
  /** The firings of `then` that are being delivered, by item. The key of the rule is empty. */
  readonly delivering: ReadonlyMap<string, number>;
  /** The slot is not in the schedule. */
  readonly woken: boolean;
}
