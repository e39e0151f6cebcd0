/** The right of this process to send through an account. */
export interface LaneLease {
  readonly account: string;
  /** Aborts when the right ends. No request may be under way after that. */
  readonly signal: AbortSignal;
  /** Aborts when the holder has to give the lane back, after the attempts that are under way; undefined: it keeps the lane. */
  readonly leaving?: AbortSignal | undefined;
  /** Increases with each holder, so that the store refuses changes of earlier holders; undefined: no other process can send. */
  readonly token?: number | undefined;
  /** How long the holder may stay without work; undefined: until `signal` aborts. */
  readonly idleMs?: number | undefined;
  /** Throws if the right has ended. A process that was stopped may run before its timers do. */
  assertHeld(): void;
}
