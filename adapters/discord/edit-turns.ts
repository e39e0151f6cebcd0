/** Whoever waits and does not come back for so long after its time has given up. */
const GIVEN_UP_MS = 30_000;
const FORGOTTEN_MS = 3_600_000;

/** Which message of a channel is changed next, where not all can be: the one that was left alone for longest. */
export class EditTurns {
  readonly #editedMs = new Map<string, number>();
  /** Until when a message waits for its channel. */
  readonly #waiting = new Map<string, Map<string, number>>();

  /** Whether another message of the channel that wants to be changed has waited longer. */
  isOfAnother(channelId: string, messageId: string, nowMs: number): boolean {
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

  forgetWhatIsOver(nowMs: number): void {
    for (const [id, ms] of this.#editedMs) if (ms + FORGOTTEN_MS <= nowMs) this.#editedMs.delete(id);
    for (const [channelId, waiting] of this.#waiting) {
      for (const [id, untilMs] of waiting) if (untilMs <= nowMs) waiting.delete(id);
      if (waiting.size === 0) this.#waiting.delete(channelId);
    }
  }
}
