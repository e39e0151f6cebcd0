import type { Mentions } from '#src/operation/text/mentions.ts';
import type { Delivery, DeliveryState } from '#src/delivery/delivery.ts';

/** Posts of people: shown before they are sent, sent exactly once, at once or later. */
export interface Posting {
  /** The accounts that posts can go to, in the order of the configuration. */
  accounts(): readonly PostingAccount[];
  /** How a post will look through each of its accounts. */
  preview(post: NewPost): readonly PostPreview[];
  /** Hands a post over to be sent. The same `id` is sent once, however often it comes: then the post is told as it is. */
  send(post: NewPost, options: SendOptions): Promise<SentPost>;
  /** One post, as it is by now. */
  find(id: string): Promise<SentPost | undefined>;
  /** Resolves with the post once nothing more happens to it by itself. */
  settled(id: string, signal: AbortSignal): Promise<SentPost | undefined>;
  /** The posts of a server that wait for their time, the next one first. */
  waiting(server: string | undefined): Promise<readonly SentPost[]>;
  /** The posts of a server whose time has come, the last one first. */
  recent(server: string | undefined, most: number): Promise<readonly SentPost[]>;
  /** Takes a post back, as far as it has not begun. */
  cancel(id: string, by: Poster): Promise<Withdrawn>;
  /** Gives a post that waits another time; false: it has begun, or is no more. */
  move(id: string, options: { readonly at: Date; readonly by: Poster }): Promise<boolean>;
  /** When the next queued post of a server would go out; undefined: the queue has no times. */
  nextQueueTime(options: { readonly server: string | undefined; readonly zone: string }): Promise<Date | undefined>;
  /** What somebody means who types a time. */
  readTime(typed: string, zone: string): TypedTime;
  /** Keeps a picture until no post needs it any more. */
  storePicture(picture: OfferedPicture, signal: AbortSignal): Promise<StoredPicture | PictureProblem>;
  /** What people write and have not sent yet. */
  readonly drafts: PostDrafts;
}

/** Who posts. */
interface Poster {
  /** The person's id in Discord. */
  readonly id: string;
  readonly name: string;
}

interface PostingAccount {
  readonly name: string;
  /** Whether it is meant where nobody says which. */
  readonly isDefault: boolean;
}

/** What becomes of a text that is too long for an account: several posts, each in reply to the one before, or fewer words. */
type TooLong = 'thread' | 'truncate';

/** A post as somebody wrote it. */
export interface NewPost {
  readonly text: string;
  readonly accounts: readonly string[];
  readonly picture?: StoredPicture | undefined;
  /** Absent: a thread. */
  readonly tooLong?: TooLong | undefined;
}

export interface SendOptions {
  /** What it is known by from now on: that of its draft. */
  readonly id: string;
  readonly by: Poster;
  readonly server: string | undefined;
  /** Absent: at once. `queue`: at the next free of the queue's times, in this zone. */
  readonly at?: Date | { readonly queue: string } | undefined;
  /** What is said in a channel where it did not go out everywhere; absent: nothing. */
  readonly failureNotice?: FailureNotice | undefined;
}

/** A message to the person whose post did not go out everywhere; the accounts are added to its text. */
export interface FailureNotice {
  /** The account of the server. */
  readonly account: string;
  /** The channel's id. */
  readonly channel: string;
  readonly text: string;
}

/** How a post will look through one account. */
export interface PostPreview {
  readonly account: string;
  /** What will stand there: several where it becomes a thread. */
  readonly posts: readonly { readonly text: string; readonly length: number }[];
  /** How long one of them may be, as the platform counts; absent: nobody knows. */
  readonly most?: number | undefined;
  /** How long the text is as it was written. */
  readonly length: number;
  /** Whom it names: who is called there, and who is not. */
  readonly mentions: Mentions;
  /** Why it cannot be sent there as it is. */
  readonly problem?: PreviewProblem | undefined;
}

/** `tooLong`: for a thread, too; `refused`: the reason is in `why`. */
export type PreviewProblem = { readonly kind: 'empty' | 'tooLong' } | { readonly kind: 'refused'; readonly why: string };

/** A post that was handed over. */
export interface SentPost {
  readonly id: string;
  /** The server that it was made in; empty: none. */
  readonly server: string;
  readonly by: Poster;
  readonly text: string;
  readonly hasPicture: boolean;
  readonly madeAt: Date;
  /** When it goes out, or went. */
  readonly at: Date;
  readonly isQueued: boolean;
  /** Who took it back. */
  readonly cancelledBy?: string | undefined;
  readonly targets: readonly PostTarget[];
}

/** One account that a post goes to. */
export interface PostTarget {
  readonly account: string;
  /** Of a thread, that of the part that is furthest behind. */
  readonly state: DeliveryState;
  /** Where it stands; of a thread, its first post. */
  readonly url?: string | undefined;
  /** Why it is not there, or not yet. */
  readonly problem?: Pick<Delivery, 'error' | 'message' | 'reason'> | undefined;
}

/** How much of a post was taken back: `begun` where it was too late, `partly` where it was for some accounts. */
export type Withdrawn = 'all' | 'partly' | 'begun' | 'missing';

/**
 * A time as it was typed:
 * - `at`: the instant;
 * - `past`: that is over;
 * - `far`: it is more than a year away;
 * - `skipped`: the clocks skip it, and show `at` next;
 * - `twice`: the clocks show it twice;
 * - `ambiguous`: it may be either;
 * - `dayOnly`: the day without the time;
 * - `unclear`: it is none.
 */
export type TypedTime =
  | { readonly kind: 'at' | 'past' | 'far' | 'skipped'; readonly at: Date }
  | { readonly kind: 'twice' | 'ambiguous'; readonly either: Date; readonly or: Date }
  | { readonly kind: 'dayOnly' | 'unclear' };

/** A picture as Discord offers it. */
export interface OfferedPicture {
  readonly url: string;
  readonly sizeBytes: number;
  readonly altText?: string | undefined;
}

export interface StoredPicture {
  readonly path: string;
  readonly altText?: string | undefined;
}

/** Why a picture cannot be kept. */
export type PictureProblem = 'tooLarge' | 'noPicture' | 'unreachable';

/** A post that somebody is about to send. */
export interface PostDraft extends NewPost {
  readonly id: string;
  /** Who alone may send it; absent: everybody who may post. */
  readonly owner?: string | undefined;
  readonly server: string | undefined;
  readonly zone: string;
  /** When it shall go out. */
  readonly when: 'now' | 'queue' | { readonly at: Date };
  /** A picture that is not kept yet. */
  readonly offered?: OfferedPicture | undefined;
}

/** Drafts, each for a day since it was last touched. */
interface PostDrafts {
  keep(draft: PostDraft): Promise<void>;
  find(id: string): Promise<PostDraft | undefined>;
  drop(id: string): Promise<void>;
}
