import type { JsonObject } from '#src/operation/json.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Delivery } from '#src/delivery/delivery.ts';

/** Whose deliveries posts of people are: no rule can be called so. */
export const POST_RULE = '/post';

/** A post of a person. */
export interface PersonPost {
  /** The episode of its deliveries. */
  readonly id: string;
  readonly server: string;
  readonly by: { readonly id: string; readonly name: string };
  readonly text: string;
  /** All of it as `social.createPost` takes it, where it was not written in Discord. */
  readonly params?: JsonObject | undefined;
  /** The path of its picture. */
  readonly picture?: string | undefined;
  readonly madeAt: Date;
  /** When it goes out, or went. */
  readonly at: Date;
  /** Whether its time is one of the queue's, which nobody else gets. */
  readonly isQueued: boolean;
  /** Who took it back before anything of it had begun. */
  readonly cancelledBy?: string | undefined;
}

/** A post, and what became of it; where it is a thread, the parts in their order. */
export interface PostAndDeliveries {
  readonly post: PersonPost;
  readonly deliveries: readonly Delivery[];
}

/** A post as it is handed over. */
export interface CommitPost extends Omit<PersonPost, 'at' | 'madeAt' | 'cancelledBy'> {
  /** Its time, where `taken` are those that the queue of its server has given away. */
  readonly chooseTime: (taken: ReadonlySet<number>) => Date;
  /** What is to be done at that time. */
  readonly toFiring: (at: Date) => Firing;
  /** What is to be read of it among the decisions. */
  readonly toDecision: (at: Date) => Decision;
}

/** Posts of people; the store fills it. */
export interface Posts {
  /** Writes a post down with its deliveries, and lets go of the draft with its id. One that is there already is told as it is. */
  commit(post: CommitPost): Promise<PostAndDeliveries>;
  find(id: string): Promise<PostAndDeliveries | undefined>;
  /** Those whose time is to come and that nobody took back, the next one first. */
  waiting(server: string): Promise<readonly PostAndDeliveries[]>;
  /** Those whose time has come, the last one first. */
  recent(server: string, most: number): Promise<readonly PostAndDeliveries[]>;
  /** Takes back what nothing has come of yet; the post as it is then. */
  withdraw(id: string, by: string): Promise<PostAndDeliveries | undefined>;
  /** Gives a post another time; false: something of it has begun, or it is no more. */
  move(id: string, at: Date): Promise<boolean>;
  /** The times of the queue of a server that are given away. */
  takenTimes(server: string): Promise<ReadonlySet<number>>;
  /** The pictures of posts that have something left to do, or that the operator may want sent again. */
  pictures(): Promise<ReadonlySet<string>>;
}

/** Something that a person writes and has not sent. */
export interface StoredDraft {
  readonly id: string;
  /** Empty: nobody's in particular. */
  readonly owner: string;
  /** Written and read as JSON. */
  readonly body: object;
}

/** Drafts: the last ones of each person, each for a day since it was kept last; the store fills it. */
export interface StoredPostDrafts {
  keep(draft: StoredDraft): Promise<void>;
  find(id: string): Promise<StoredDraft | undefined>;
  drop(id: string): Promise<void>;
  all(): Promise<readonly StoredDraft[]>;
}
