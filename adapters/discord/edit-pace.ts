import type { Clock } from '#src/clock.ts';
import { PlatformError, Postponed } from '#src/errors.ts';
import { EditTurns } from './edit-turns.ts';
import { createdAtMs } from './history.ts';
import type { MessagePlace } from './messages.ts';

/** Discord limits the edits of messages that are older, by a number that it does not tell. */
const OLD_MS = 3_600_000;
const SHORTEST_MS = 60_000;
const LONGEST_MS = 15 * 60_000;
/** A message is left alone for this part of its age. */
const SHARE_OF_AGE = 60;
/** So long those who waited longer have to go first. */
const TURN_MS = 2_000;

/** Spaces the edits of old messages. */
export interface EditPace {
  /** Makes an edit, unless the message was edited a moment ago or its channel had too many edits: then it is `Postponed`. */
  edit<T>(place: MessagePlace, change: () => Promise<T>): Promise<T>;
  /** As `edit`, for a message that is edited for ever, and not the less the older it is. */
  put<T>(place: MessagePlace, change: () => Promise<T>): Promise<T>;
}

/** From an hour on, once a minute, and more seldom with age. */
export function editPace(clock: Clock): EditPace {
  /** When a message, and when all of a channel, may be changed again. */
  const freeAtMs = new Map<string, number>();
  const heldUntilMs = new Map<string, number>();
  const turns = new EditTurns();

  function forgetWhatIsOver(nowMs: number): void {
    turns.forgetWhatIsOver(nowMs);
    for (const times of [freeAtMs, heldUntilMs]) for (const [id, ms] of times) if (ms <= nowMs) times.delete(id);
  }

  async function make<T>({ channelId, messageId }: MessagePlace, gapMs: number, change: () => Promise<T>): Promise<T> {
    const nowMs = clock.nowMs();
    if (nowMs - createdAtMs(messageId) < OLD_MS) return change();
    forgetWhatIsOver(nowMs);
    const freeMs = freeAtMs.get(messageId) ?? 0;
    const turnMs = Math.max(heldUntilMs.get(channelId) ?? 0, turns.isOfAnother(channelId, messageId, nowMs) ? nowMs + TURN_MS : 0);
    if (freeMs <= nowMs && turnMs > nowMs) turns.wait(channelId, messageId, turnMs);
    const untilMs = Math.max(freeMs, turnMs);
    if (untilMs > nowMs)
      throw new Postponed('messages that are older than an hour are changed now and then only', { until: new Date(untilMs) });
    try {
      const answer = await change();
      freeAtMs.set(messageId, nowMs + gapMs);
      turns.edited(channelId, messageId, nowMs);
      return answer;
    } catch (error) {
      if (!(error instanceof PlatformError) || error.fault !== 'rateLimited') throw error;
      // A channel that takes no more is never asked again at once.
      const until = new Date(Math.max(error.retryAt?.getTime() ?? 0, clock.nowMs() + Math.max(gapMs, 1_000)));
      heldUntilMs.set(channelId, until.getTime());
      turns.wait(channelId, messageId, until.getTime());
      throw new Postponed('Discord takes no more changes of messages older than an hour for now', { until, cause: error });
    }
  }

  return {
    edit(place, change) {
      const ageMs = clock.nowMs() - createdAtMs(place.messageId);
      return make(place, Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.ceil(ageMs / SHARE_OF_AGE))), change);
    },
    put: (place, change) => make(place, 0, change),
  };
}
