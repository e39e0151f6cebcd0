import type { Mentions } from '#src/clients/operation/text/mentions.ts';
import type { Delivery, DeliveryState } from '#src/engine/delivery/delivery.ts';
import type { EditOutcome } from './posts.ts';

/** Posts of people: a preview, then one delivery to each account, now or later. */
export interface Posting {
  /** The accounts that posts can go to, in the order of the configuration. */
  accounts(): readonly PostingAccount[];
  /** Previews a post for each of its accounts. */
  preview(post: NewPost): readonly PostPreview[];
  /** Creates the deliveries of a post. For a known `id`, resolves with the existing post. Throws a `Refused` without a draft that it needs. */
  send(post: NewPost, options: SendOptions): Promise<SentPost>;
  /** The scheduled posts of people in all servers, the next one first. */
  allWaiting(): Promise<readonly SentPost[]>;
  /** One post of a person in its present state. */
  find(id: string): Promise<SentPost | undefined>;
  /** Resolves with the post when all its deliveries are settled. */
  settled(id: string, signal: AbortSignal): Promise<SentPost | undefined>;
  /** The scheduled posts of a server, the next one first. */
  waiting(server: string | undefined): Promise<readonly SentPost[]>;
  /** The due posts of a server, the last one first. */
  recent(server: string | undefined, most: number): Promise<readonly SentPost[]>;
  /** Cancels the deliveries of a post that have not begun. */
  cancel(id: string, by: Poster): Promise<Withdrawn>;
  /** Changes the time of a scheduled post. */
  move(id: string, options: { readonly at: Date; readonly by: Poster }): Promise<MoveOutcome>;
  /** The content of a post. */
  contentOf(id: string): Promise<NewPost | undefined>;
  /** Replaces the text, the warning and the description of the picture of a scheduled post. */
  edit(id: string, options: EditOptions): Promise<EditOutcome>;
  /** The time of the next queued post of a server; undefined if the queue has no times. */
  nextQueueTime(options: { readonly server: string | undefined; readonly zone: string }): Promise<Date | undefined>;
  /** Parses a time that a person typed. */
  readTime(typed: string, zone: string): TypedTime;
  /** Stores a picture as long as a post or draft needs it. */
  storePicture(picture: OfferedPicture, signal: AbortSignal): Promise<StoredPicture | PictureProblem>;
  /** The drafts of people. */
  readonly drafts: PostDrafts;
}

/** The result of a move: `begun` if the post has begun or does not exist, `far` if the time is more than a year away. */
type MoveOutcome = 'done' | 'begun' | 'far';

/** The person who posts. */
interface Poster {
  /** The person's id in Discord. */
  readonly id: string;
  readonly name: string;
}

interface PostingAccount {
  readonly name: string;
  /** Whether posts without a choice of accounts go to it. */
  readonly isDefault: boolean;
}

/** The handling of a text that is too long for an account: several posts, each in reply to the one before, or a shortened post. */
type TooLong = 'thread' | 'truncate';

/** A post as the person wrote it. */
export interface NewPost {
  readonly text: string;
  /** The content warning; absent: the default of each account. */
  readonly warning?: string | undefined;
  readonly accounts: readonly string[];
  readonly picture?: StoredPicture | undefined;
  /** A thread by default. */
  readonly tooLong?: TooLong | undefined;
}

export interface SendOptions {
  /** The id of the draft, which becomes the id of the post. */
  readonly id: string;
  /** Whether the post is sent only if its draft is stored, because another person may have discarded it. */
  readonly needsDraft?: boolean | undefined;
  readonly by: Poster;
  readonly server: string | undefined;
  /** Now by default. `queue`: the next free time of the queue in this time zone. */
  readonly at?: Date | { readonly queue: string } | undefined;
  /** The message to a channel if the post fails for an account; absent for none. */
  readonly failureNotice?: FailureNotice | undefined;
}

interface EditOptions {
  readonly content: NewPost;
  /** The number of edits of the post that the person saw. */
  readonly edits: number;
  /** The text of its failure notice. */
  readonly failureNotice: string;
  readonly by: Poster;
}

/** A message to a person whose post failed for some accounts. The names of these accounts follow its text. */
export interface FailureNotice {
  /** The Discord account of the server. */
  readonly account: string;
  /** The id of the channel. */
  readonly channel: string;
  readonly text: string;
}

/** The preview of a post for one account. */
export interface PostPreview {
  readonly account: string;
  /** The resulting posts; several for a thread. */
  readonly posts: readonly { readonly text: string; readonly length: number }[];
  /** The largest length of a post, as the platform counts; absent if unknown. */
  readonly most?: number | undefined;
  /** The length of the written text. */
  readonly length: number;
  /** The content warning, which may be the default of the account. */
  readonly warning?: string | undefined;
  /** Whether the warning is too long for the account and is cut; absent without a warning. */
  readonly isWarningCut?: boolean | undefined;
  /** The names in the text, with and without a notification on the platform. */
  readonly mentions: Mentions;
  /** Why the post cannot be sent to the account. */
  readonly problem?: PreviewProblem | undefined;
}

/** `tooLong`: even a thread cannot hold the text; `refused`: `why` has the reason. */
export type PreviewProblem = { readonly kind: 'empty' | 'tooLong' } | { readonly kind: 'refused'; readonly why: string };

/** A post with its deliveries. */
export interface SentPost {
  readonly id: string;
  /** The server in which the person wrote it; empty outside servers. */
  readonly server: string;
  readonly by: Poster;
  readonly text: string;
  /** The content warning; absent: the default of each account. */
  readonly warning?: string | undefined;
  readonly hasPicture: boolean;
  /** The description of the picture. */
  readonly altText?: string | undefined;
  readonly madeAt: Date;
  /** When it goes out or went out. */
  readonly at: Date;
  readonly isQueued: boolean;
  readonly edits: number;
  /** The person who edited it last. */
  readonly editedBy?: Poster | undefined;
  /** The person who cancelled it. */
  readonly cancelledBy?: string | undefined;
  readonly targets: readonly PostTarget[];
}

/** A post at one account. */
export interface PostTarget {
  readonly account: string;
  /** False if this process has no such account, for example because it was removed since. */
  readonly isConnected?: boolean | undefined;
  /** The state of the delivery; for a thread, the worst state of its parts. */
  readonly state: DeliveryState;
  /** The address of the post; for a thread, of its first post. */
  readonly url?: string | undefined;
  /** Whether only the beginning of a thread was sent. */
  readonly isBegun?: boolean | undefined;
  /** Why it is not sent. */
  readonly problem?: Pick<Delivery, 'error' | 'message' | 'reason'> | undefined;
  /** The parts that were not available, so that the post was sent without them. */
  readonly omitted?: Delivery['omitted'];
}

/** The result of a cancellation: `begun` if it was too late, `partly` if it was too late for some accounts. */
export type Withdrawn = 'all' | 'partly' | 'begun' | 'missing';

/**
 * A time that a person typed:
 * - `at`: the instant;
 * - `past`: the instant is in the past;
 * - `far`: the instant is more than a year away;
 * - `skipped`: a clock change skips the time, and `at` is the instant of the change;
 * - `twice`: the time exists twice because of a clock change;
 * - `ambiguous`: the text can mean two instants;
 * - `dayOnly`: the text has a day and no time;
 * - `unclear`: the text is no time.
 */
export type TypedTime =
  | { readonly kind: 'at' | 'past' | 'far' | 'skipped'; readonly at: Date }
  | { readonly kind: 'twice' | 'ambiguous'; readonly either: Date; readonly or: Date }
  | { readonly kind: 'dayOnly' | 'unclear' };

/** A picture that a person attached in Discord. */
export interface OfferedPicture {
  readonly url: string;
  readonly sizeBytes: number;
  readonly altText?: string | undefined;
}

export interface StoredPicture {
  readonly path: string;
  readonly altText?: string | undefined;
}

/** Why a picture cannot be stored. */
export type PictureProblem = 'tooLarge' | 'noPicture' | 'unreachable';

/** A post that is not sent yet. */
export interface PostDraft extends NewPost {
  readonly id: string;
  /** The only person who may send it; absent if everyone who may post can send it. */
  readonly owner?: string | undefined;
  readonly server: string | undefined;
  readonly zone: string;
  /** When it is to go out. */
  readonly when: 'now' | 'queue' | { readonly at: Date };
  /** A picture that is not stored yet. */
  readonly offered?: OfferedPicture | undefined;
}

/** The drafts of posts. Retention: one day after the last change. */
interface PostDrafts {
  keep(draft: PostDraft): Promise<void>;
  find(id: string): Promise<PostDraft | undefined>;
  /** False if the draft was sent or discarded before. */
  drop(id: string): Promise<boolean>;
}
