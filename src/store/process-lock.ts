/** A lock that one process holds at a time. */
export interface ProcessLock {
  /** Resolves when no other process holds the lock, and holds it until it is disposed of. `onWait` runs if another process holds it. */
  claim(options: { readonly signal: AbortSignal; readonly onWait?: (() => void) | undefined }): Promise<Disposable>;
  close(): void;
}
