import type { Clock } from '#src/clock.ts';
import type { Journal } from '../../journal.ts';
import { compareIds, madeAtMs, type Snowflakes } from '../snowflake.ts';
import { FLAGS, hasFlag, Message } from './message.ts';

const COLLECTION = 'discord.messages';
/** "The past few minutes" in which a nonce is looked at. */
const NONCE_WINDOW_MS = 5 * 60_000;
/** What a sandbox that runs for months remembers; the journal keeps as many. */
const MOST_MESSAGES = 2000;

/** Where a page of a channel begins. */
export interface MessageRange {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly around?: string | undefined;
}

/** The messages that were sent, deleted ones too; written through to the journal. */
export class Messages {
  readonly #journal: Journal;
  readonly #clock: Clock;
  /** In order of arrival. */
  readonly #byId = new Map<string, Message>();
  /** In order of arrival. */
  readonly #idsByChannel = new Map<string, string[]>();
  readonly #idByNonce = new Map<string, string>();

  constructor({ journal, clock, ids }: { readonly journal: Journal; readonly clock: Clock; readonly ids: Snowflakes }) {
    this.#journal = journal;
    this.#clock = clock;
    for (const document of journal.all(COLLECTION)) {
      const message = Message.parse(document);
      this.#index(message);
      ids.skipPast(message.id);
    }
  }

  put(message: Message): void {
    this.#index(message);
    this.#journal.put(COLLECTION, message.id, message);
  }

  /** All of them, as they arrived. */
  all(): IterableIterator<Message> {
    return this.#byId.values();
  }

  /** Whatever became of it. */
  find(id: string): Message | undefined {
    return this.#byId.get(id);
  }

  /** Where it was not deleted. */
  standing(channelId: string, id: string): Message | undefined {
    const message = this.#byId.get(id);
    return message?.channelId === channelId && message.deletedAt === undefined ? message : undefined;
  }

  /** As a read finds it: standing, and visible already. */
  read(channelId: string, id: string): Message | undefined {
    const message = this.standing(channelId, id);
    return message && this.#isVisible(message) ? message : undefined;
  }

  /** A page of a channel's history, newest first. */
  list(channelId: string, { limit, before, after, around }: MessageRange): readonly Message[] {
    const newest = this.#history(channelId).toReversed();
    if (before !== undefined) return newest.filter(({ id }) => compareIds(id, before) < 0).slice(0, limit);
    if (after !== undefined) return newest.filter(({ id }) => compareIds(id, after) > 0).slice(-limit);
    if (around === undefined) return newest.slice(0, limit);

    const older = newest.filter(({ id }) => compareIds(id, around) <= 0);
    const newer = newest.filter(({ id }) => compareIds(id, around) > 0);
    const half = Math.floor(limit / 2);
    return [...(half > 0 ? newer.slice(-half) : []), ...older.slice(0, limit - half)];
  }

  /** The newest that everybody could read, even if it was deleted since. */
  lastId(channelId: string): string | undefined {
    return this.#idsByChannel.get(channelId)?.findLast((id) => {
      const message = this.#byId.get(id);
      return message && this.#isVisible(message) && !hasFlag(message, FLAGS.Ephemeral);
    });
  }

  /** The message that this author sent with this nonce a short while ago, deleted or not. */
  findByNonce(authorId: string, nonce: string | number): Message | undefined {
    const message = this.#byId.get(this.#idByNonce.get(toNonceKey(authorId, nonce)) ?? '');
    return message && madeAtMs(message.id) > this.#clock.nowMs() - NONCE_WINDOW_MS ? message : undefined;
  }

  #history(channelId: string): readonly Message[] {
    return (this.#idsByChannel.get(channelId) ?? []).flatMap((id) => {
      const message = this.read(channelId, id);
      return message && !hasFlag(message, FLAGS.Ephemeral) ? [message] : [];
    });
  }

  #isVisible({ visibleAtMs = 0 }: Message): boolean {
    return visibleAtMs <= this.#clock.nowMs();
  }

  #index(message: Message): void {
    if (!this.#byId.has(message.id)) {
      const ids = this.#idsByChannel.get(message.channelId);
      if (ids) ids.push(message.id);
      else this.#idsByChannel.set(message.channelId, [message.id]);
    }
    if (message.nonce !== undefined) this.#idByNonce.set(toNonceKey(message.authorId, message.nonce), message.id);
    this.#byId.set(message.id, message);
    if (this.#byId.size > MOST_MESSAGES) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [oldest] = this.#byId.values();
    if (!oldest) return;
    this.#byId.delete(oldest.id);
    this.#idsByChannel.get(oldest.channelId)?.shift();
    if (oldest.nonce !== undefined) this.#idByNonce.delete(toNonceKey(oldest.authorId, oldest.nonce));
  }
}

function toNonceKey(authorId: string, nonce: string | number): string {
  return `${authorId} ${nonce}`;
}
