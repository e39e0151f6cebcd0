/** A lock that a process holds. */
export interface HeldLock extends Disposable {
  /** Aborts when another process may hold the lock; absent: that is impossible before the release. */
  readonly lost?: AbortSignal | undefined;
}

/** A lock that one process holds at a time. */
export interface ProcessLock {
  /** Resolves when no other process holds the lock, and holds it until it is disposed of. `onWait` runs if another process holds it. */
  claim(options: { readonly signal: AbortSignal; readonly onWait?: (() => void) | undefined }): Promise<HeldLock>;
  close(): void;
}

/** Creates the lock with a name. `idleMs`: another process can have it if its holder is frozen for this time. */
export type CreateLock = (name: string, options?: { readonly idleMs?: number | undefined }) => ProcessLock;
