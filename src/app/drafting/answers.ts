/** What a new rule watches. */
export type DraftKind = 'top' | 'live' | 'clips' | 'posts';

/** Where it says what happens. */
interface Places {
  /** A channel in Discord; absent: nothing is said there. */
  readonly channel?: string | undefined;
  /** Whether it is posted, too. */
  readonly post: boolean;
}

/** What its author answered. */
export interface DraftAnswers {
  readonly id: string;
  readonly kind: DraftKind;
  /** The game, or whose channels or posts; never empty. */
  readonly whom: readonly string[];
  readonly places: Places;
  /** How often it looks, as `5m`. */
  readonly every: string;
  /** Only streams with so many viewers, clips with so many views; 0: all. */
  readonly least: number;
  /** Of a top list, how many places. */
  readonly take: number;
  /** The account that reads, where there are several that could. */
  readonly account?: string | undefined;
}
