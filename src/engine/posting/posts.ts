import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Step } from '#src/rules/step.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';

/** The rule id of deliveries that people caused. No rule can have this id. */
export const POST_RULE = '/post';

export interface PersonPost {
  /** The episode of its deliveries. */
  readonly id: string;
  readonly server: string;
  readonly by: { readonly id: string; readonly name: string };
  readonly text: string;
  /** The parameters of `social.createPost`; absent for posts from Discord. */
  readonly params?: JsonObject | undefined;
  /** The path of its picture. */
  readonly picture?: string | undefined;
  /** The number of its edits. */
  readonly edits: number;
  /** The person who edited it last. */
  readonly editedBy?: PersonPost['by'] | undefined;
  readonly madeAt: Date;
  /** When it goes out or went out. */
  readonly at: Date;
  /** Whether it reserved a time of the queue. */
  readonly isQueued: boolean;
  /** The person who cancelled it for the last of its accounts, if it went to none. */
  readonly cancelledBy?: string | undefined;
}

/** A post with its deliveries; the parts of a thread are in order. */
export interface PostAndDeliveries {
  readonly post: PersonPost;
  readonly deliveries: readonly Delivery[];
  /** The step that sends it. All its deliveries have the same one. */
  readonly step?: Step | undefined;
}

/** A new post. */
export interface CommitPost extends Omit<PersonPost, 'at' | 'madeAt' | 'cancelledBy' | 'edits' | 'editedBy'> {
  /** Whether it is stored only if a draft with its id exists. */
  readonly needsDraft?: boolean | undefined;
  /** Chooses its time. `taken` are the reserved times in the queue of its server. */
  readonly chooseTime: (taken: ReadonlySet<number>) => Date;
  /** Makes its firing for that time. */
  readonly toFiring: (at: Date) => Firing;
  /** Makes its entry in the decision log. */
  readonly toDecision: (at: Date) => Decision;
}

/** Another text of a post. */
export interface EditPost extends Pick<PersonPost, 'text' | 'edits'> {
  readonly by: PersonPost['by'];
  /** Edits a step of the post. */
  readonly toStep: (step: Step) => Step;
}

/** The result of an edit: `begun` if a delivery has begun or the post does not exist, `edited` if the post has more edits than `edits`. */
export type EditOutcome = 'done' | 'begun' | 'edited';

/** The stored posts of people. */
export interface Posts {
  /**
   * Stores a post with its deliveries and deletes the draft with its id. For a known id, resolves with the existing post. Throws a `Refused`
   * if it needs a draft that was discarded.
   */
  commit(post: CommitPost): Promise<PostAndDeliveries>;
  find(id: string): Promise<PostAndDeliveries | undefined>;
  /** The scheduled posts that are not cancelled, the next one first; without a server, those of people in all servers. */
  waiting(server?: string): Promise<readonly PostAndDeliveries[]>;
  /** The due posts, the last one first. */
  recent(server: string, most: number): Promise<readonly PostAndDeliveries[]>;
  /** Withdraws all deliveries that have not begun. Resolves with the resulting post. */
  withdraw(id: string, by: string): Promise<PostAndDeliveries | undefined>;
  /** Changes the time of a post; false if a delivery has begun or the post does not exist. */
  move(id: string, at: Date): Promise<boolean>;
  /** The step of a delivery. */
  step(delivery: string): Promise<Step | undefined>;
  /** Edits the steps of a post. An attempt with the steps before the edit does not begin. */
  edit(id: string, edit: EditPost): Promise<EditOutcome>;
  /** The reserved times in the queue of a server. */
  takenTimes(server: string): Promise<ReadonlySet<number>>;
  /** The pictures of posts with open deliveries, or with deliveries that an operator may send again. */
  pictures(): Promise<ReadonlySet<string>>;
}

export interface StoredDraft {
  readonly id: string;
  /** Empty if everyone who may post can send it. */
  readonly owner: string;
  /** Stored as JSON. */
  readonly body: object;
}

/** The stored drafts. Retention: the last ones of each person, one day after the last change. */
export interface StoredPostDrafts {
  keep(draft: StoredDraft): Promise<void>;
  find(id: string): Promise<StoredDraft | undefined>;
  /** False if there is no such draft. */
  drop(id: string): Promise<boolean>;
  all(): Promise<readonly StoredDraft[]>;
}
