import type { Clock } from '#src/clock.ts';
import { Postponed } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import { createdAtMs } from './history.ts';
import type { MessageAddress } from './wire/message.ts';

/** A message leaves the queue if its edit does not return within this time. */
const GIVEN_UP_MS = 30_000;
const FORGOTTEN_MS = 3_600_000;

/** The queue of edits of a channel: the message whose last edit is oldest comes first. */
class EditQueue {
  readonly #editedMs = new Map<string, number>();
  /** Until when a message waits for its channel. */
  readonly #waiting = new Map<string, Map<string, number>>();

  /** Whether another message of the channel that wants to be changed has waited longer. */
  isBehindAnother(channelId: string, messageId: string, nowMs: number): boolean {
    const ownMs = this.#editedMs.get(messageId) ?? 0;
    const others = [...(this.#waiting.get(channelId) ?? [])].filter(([id, untilMs]) => id !== messageId && untilMs > nowMs);
    return others.some(([id]) => (this.#editedMs.get(id) ?? 0) < ownMs);
  }

  /** It will come back at `againMs`. */
  wait(channelId: string, messageId: string, againMs: number): void {
    const waiting = this.#waiting.get(channelId) ?? new Map<string, number>();
    this.#waiting.set(channelId, waiting.set(messageId, againMs + GIVEN_UP_MS));
  }

  edited(channelId: string, messageId: string, nowMs: number): void {
    this.#waiting.get(channelId)?.delete(messageId);
    this.#editedMs.set(messageId, nowMs);
  }

  forgetExpired(nowMs: number): void {
    for (const [id, ms] of this.#editedMs) if (ms + FORGOTTEN_MS <= nowMs) this.#editedMs.delete(id);
    for (const [channelId, waiting] of this.#waiting) {
      for (const [id, untilMs] of waiting) if (untilMs <= nowMs) waiting.delete(id);
      if (waiting.size === 0) this.#waiting.delete(channelId);
    }
  }
}

/** Discord limits the edits of messages that are older, by a number that it does not tell. */
const OLD_MS = 3_600_000;
const SHORTEST_MS = 60_000;
const LONGEST_MS = 15 * 60_000;
/** A message is left alone for this part of its age. */
const SHARE_OF_AGE = 60;
/** So long those who waited longer have to go first. */
const QUEUE_STEP_MS = 2_000;

/** Spaces the edits of old messages. */
export interface EditPace {
  /** Makes an edit, unless the message was edited a moment ago or its channel had too many edits: then it is `Postponed`. */
  edit<T>(target: MessageAddress, change: () => Promise<T>): Promise<T>;
  /** As `edit`, for a message that is edited for ever, and not the less the older it is. */
  put<T>(target: MessageAddress, change: () => Promise<T>): Promise<T>;
}

/** From an hour on, once a minute, and more seldom with age. */
export function editPace(clock: Clock): EditPace {
  /** When a message, and when all of a channel, may be changed again. */
  const freeAtMs = new Map<string, number>();
  const blockedUntilMs = new Map<string, number>();
  const queue = new EditQueue();

  function forgetExpired(nowMs: number): void {
    queue.forgetExpired(nowMs);
    for (const times of [freeAtMs, blockedUntilMs]) for (const [id, ms] of times) if (ms <= nowMs) times.delete(id);
  }

  async function make<T>({ channelId, messageId }: MessageAddress, gapMs: number, change: () => Promise<T>): Promise<T> {
    const nowMs = clock.nowMs();
    if (nowMs - createdAtMs(messageId) < OLD_MS) return change();
    forgetExpired(nowMs);
    const freeMs = freeAtMs.get(messageId) ?? 0;
    const queuedUntilMs = Math.max(
      blockedUntilMs.get(channelId) ?? 0,
      queue.isBehindAnother(channelId, messageId, nowMs) ? nowMs + QUEUE_STEP_MS : 0,
    );
    if (freeMs <= nowMs && queuedUntilMs > nowMs) queue.wait(channelId, messageId, queuedUntilMs);
    const untilMs = Math.max(freeMs, queuedUntilMs);
    if (untilMs > nowMs)
      throw new Postponed('messages that are older than an hour are changed now and then only', { until: new Date(untilMs) });
    try {
      const answer = await change();
      freeAtMs.set(messageId, nowMs + gapMs);
      queue.edited(channelId, messageId, nowMs);
      return answer;
    } catch (error) {
      if (!isFault(error, 'rateLimited')) throw error;
      // A channel that takes no more is never asked again at once.
      const until = new Date(Math.max(error.retryAt?.getTime() ?? 0, clock.nowMs() + Math.max(gapMs, 1_000)));
      blockedUntilMs.set(channelId, until.getTime());
      queue.wait(channelId, messageId, until.getTime());
      throw new Postponed('Discord takes no more changes of messages older than an hour for now', { until, cause: error });
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
