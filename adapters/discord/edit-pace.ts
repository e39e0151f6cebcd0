import type { Clock } from '#src/clock.ts';
import { Postponed } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import { createdAtMs } from './history.ts';
import type { MessageAddress } from './wire/message.ts';

/** A message leaves the queue if its edit does not return within this time. */
const EDIT_TIMEOUT_MS = 30_000;
const FORGOTTEN_MS = 3_600_000;

/** The edits that wait for a limit of a channel: the message whose last edit is oldest comes first. */
class EditQueue {
  readonly #editedMs = new Map<string, number>();
  /** The end of the waiting time of each message, by limit. */
  readonly #waiting = new Map<string, Map<string, number>>();

  /** Whether another waiting message with this limit was edited longer ago. */
  isBehindAnother(limit: string, messageId: string, nowMs: number): boolean {
    const editedMs = this.#editedMs.get(messageId) ?? 0;
    const others = [...(this.#waiting.get(limit) ?? [])].filter(([id, untilMs]) => id !== messageId && untilMs > nowMs);
    return others.some(([id]) => (this.#editedMs.get(id) ?? 0) < editedMs);
  }

  /** Queues a message whose edit is retried at `againMs`. */
  wait(limit: string, messageId: string, againMs: number): void {
    const waiting = this.#waiting.get(limit) ?? new Map<string, number>();
    this.#waiting.set(limit, waiting.set(messageId, againMs + EDIT_TIMEOUT_MS));
  }

  edited(limit: string, messageId: string, nowMs: number): void {
    this.#waiting.get(limit)?.delete(messageId);
    this.#editedMs.set(messageId, nowMs);
  }

  forgetExpired(nowMs: number): void {
    for (const [id, ms] of this.#editedMs) if (ms + FORGOTTEN_MS <= nowMs) this.#editedMs.delete(id);
    for (const [limit, waiting] of this.#waiting) {
      for (const [id, untilMs] of waiting) if (untilMs <= nowMs) waiting.delete(id);
      if (waiting.size === 0) this.#waiting.delete(limit);
    }
  }
}

/** Discord limits edits of messages older than this. It does not document the limit. */
const OLD_MS = 3_600_000;
const SHORTEST_MS = 60_000;
const LONGEST_MS = 15 * 60_000;
/** The pause after an edit is this fraction of the age of the message. */
const SHARE_OF_AGE = 60;
/** A message waits this long for messages that have waited longer. */
const QUEUE_STEP_MS = 2_000;

const SELDOM = 'messages older than an hour are edited less often';
const LIMITED = 'Discord limits the edits in a channel';

/** Spaces the edits of messages. */
export interface EditPace {
  /** Runs an edit. Throws `Postponed` if the message was just edited, or if its channel had too many edits. */
  edit<T>(target: MessageAddress, change: () => Promise<T>): Promise<T>;
  /** Like `edit`, for a standing message. The pause does not grow with its age. */
  put<T>(target: MessageAddress, change: () => Promise<T>): Promise<T>;
}

/** Edits messages older than an hour at most once a minute, and less often with age. Messages whose edits have to wait are edited in turn. */
export function editPace(clock: Clock): EditPace {
  /** The next allowed edit, by message and by limit. */
  const freeAtMs = new Map<string, number>();
  const blockedUntilMs = new Map<string, number>();
  const queue = new EditQueue();

  function forgetExpired(nowMs: number): void {
    queue.forgetExpired(nowMs);
    for (const times of [freeAtMs, blockedUntilMs]) for (const [id, ms] of times) if (ms <= nowMs) times.delete(id);
  }

  async function make<T>({ channelId, messageId }: MessageAddress, oldGapMs: number, change: () => Promise<T>): Promise<T> {
    const nowMs = clock.nowMs();
    const isOld = nowMs - createdAtMs(messageId) >= OLD_MS;
    // Discord has separate limits for the edits of old and of other messages.
    const limit = `${channelId} ${isOld ? 'old' : 'new'}`;
    const gapMs = isOld ? oldGapMs : 0;
    forgetExpired(nowMs);
    const freeMs = freeAtMs.get(messageId) ?? 0;
    const queuedUntilMs = Math.max(
      blockedUntilMs.get(limit) ?? 0,
      queue.isBehindAnother(limit, messageId, nowMs) ? nowMs + QUEUE_STEP_MS : 0,
    );
    if (freeMs <= nowMs && queuedUntilMs > nowMs) queue.wait(limit, messageId, queuedUntilMs);
    const untilMs = Math.max(freeMs, queuedUntilMs);
    if (untilMs > nowMs) throw new Postponed(freeMs > nowMs ? SELDOM : LIMITED, { until: new Date(untilMs) });
    try {
      const answer = await change();
      if (gapMs > 0) freeAtMs.set(messageId, nowMs + gapMs);
      queue.edited(limit, messageId, nowMs);
      return answer;
    } catch (error) {
      const isPostponed = error instanceof Postponed;
      if (!isPostponed && !isFault(error, 'rateLimited')) throw error;
      const acceptedAt = isPostponed ? error.until : error.retryAt;
      // After a refusal, the channel gets a pause.
      const until = new Date(Math.max(acceptedAt?.getTime() ?? 0, clock.nowMs() + Math.max(gapMs, 1_000)));
      blockedUntilMs.set(limit, until.getTime());
      queue.wait(limit, messageId, until.getTime());
      throw new Postponed(LIMITED, { until, cause: error });
    }
  }

  return {
    edit(target, change) {
      const ageMs = clock.nowMs() - createdAtMs(target.messageId);
      return make(target, Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.ceil(ageMs / SHARE_OF_AGE))), change);
    },
    put: (target, change) => make(target, 0, change),
  };
}
