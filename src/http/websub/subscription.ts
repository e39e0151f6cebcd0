/** A subscription at a hub. Its first name is its key. */
export interface WebSubSubscription {
  /** The part of the callback that names it. */
  readonly id: string;
  readonly topic: string;
  readonly names: readonly string[];
  readonly hub?: string | undefined;
  readonly state: 'requested' | 'active' | 'denied' | 'leaving' | 'none';
  readonly since: Date;
  readonly until?: Date | undefined;
}

/** The store of the subscriptions. */
export interface WebSubSubscriptions {
  all(): Promise<readonly WebSubSubscription[]>;
  find(id: string): Promise<WebSubSubscription | undefined>;
  keep(subscription: WebSubSubscription): Promise<void>;
  drop(id: string): Promise<void>;
}
