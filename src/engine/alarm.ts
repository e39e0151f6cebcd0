import type { Clock } from '#src/clock.ts';

const CUT = 'the pause ended early';

/** A pause that can end early. */
export class Alarm {
  #rung = false;
  #cut: (() => void) | undefined;

  /** Ends the current wait, or the next one at once. */
  ring(): void {
    this.#rung = true;
    this.#cut?.();
  }

  /** Resolves after `ms`, when it rings, or when `signal` aborts; true: it rang. */
  async wait(ms: number, { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }): Promise<boolean> {
    if (!this.#rung && !signal.aborted) {
      const sleep = new AbortController();
      // A reason without a stack costs less.
      this.#cut = () => sleep.abort(CUT);
      signal.addEventListener('abort', this.#cut, { once: true });
      try {
        await clock.sleep(ms, sleep.signal);
      } catch (error) {
        if (!sleep.signal.aborted) throw error;
      } finally {
        signal.removeEventListener('abort', this.#cut);
        this.#cut = undefined;
      }
    }
    const isRung = this.#rung;
    this.#rung = false;
    return isRung;
  }
}
