/** When a rule is paused, by the words of the page about pauses. It shares no code with the product. */
export class ExpectedPauses {
  readonly #past: { readonly fromMs: number; readonly untilMs: number }[] = [];
  #now: { readonly fromMs: number; readonly untilMs: number } | undefined;
  #planned: { readonly fromMs: number; readonly untilMs: number }[] = [];

  pause(nowMs: number, untilMs = Infinity): void {
    this.#sync(nowMs);
    this.#end(nowMs);
    this.#now = { fromMs: nowMs, untilMs };
  }

  plan(nowMs: number, fromMs: number, untilMs = Infinity): void {
    this.#sync(nowMs);
    this.#planned = [...this.#planned.filter((one) => one.fromMs !== fromMs), { fromMs, untilMs }];
  }

  resume(nowMs: number): void {
    this.#sync(nowMs);
    this.#end(nowMs);
  }

  cancelPlans(nowMs: number): void {
    this.#sync(nowMs);
    this.#planned = [];
  }

  isPaused(nowMs: number): boolean {
    this.#sync(nowMs);
    return this.#now !== undefined;
  }

  /** Whether the rule was paused at some time of this span. */
  wasPaused(sinceMs: number, nowMs: number): boolean {
    return this.isPaused(nowMs) || this.#past.some(({ untilMs }) => untilMs >= sinceMs);
  }

  #sync(nowMs: number): void {
    for (const one of this.#planned.filter(({ fromMs }) => fromMs <= nowMs).toSorted((a, b) => a.fromMs - b.fromMs)) {
      this.#planned = this.#planned.filter((other) => other !== one);
      if (this.#now && this.#now.untilMs <= one.fromMs) this.#end(this.#now.untilMs);
      // Of two pauses, the longer one stays.
      if (one.untilMs > (this.#now?.untilMs ?? 0)) this.#now = { fromMs: this.#now?.fromMs ?? one.fromMs, untilMs: one.untilMs };
    }
    if (this.#now && this.#now.untilMs <= nowMs) this.#end(this.#now.untilMs);
  }

  #end(atMs: number): void {
    if (this.#now) this.#past.push({ fromMs: this.#now.fromMs, untilMs: Math.min(this.#now.untilMs, atMs) });
    this.#now = undefined;
  }
}
