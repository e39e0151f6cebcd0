/** The stored tokens of one account: from its sign-in, or refreshed since. */
export interface AccountTokens {
  /** Resolves with the saved tokens; with undefined before the first sign-in. */
  load(): Promise<unknown>;
  /** Whether another sign-in, in this or another process, replaced the tokens since they were loaded or saved here. */
  areOthers(): Promise<boolean>;
  /** Resolves when the tokens are durable. */
  save(tokens: object): Promise<void>;
  /** Deletes the tokens. Returns the number of deleted rows. */
  drop(): Promise<number>;
  /** Runs `work` while no other process changes the tokens of this account. */
  alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Creates tokens in memory. */
export function tokensInMemory(tokens?: object): AccountTokens {
  let kept: unknown = tokens;
  let last: Promise<unknown> = Promise.resolve();
  return {
    load: async () => kept,
    areOthers: async () => false,
    async save(next) {
      kept = structuredClone(next);
    },
    async drop() {
      const count = kept === undefined ? 0 : 1;
      kept = undefined;
      return count;
    },
    alone(work) {
      const run = last.then(work, work);
      last = run.catch(() => undefined);
      return run;
    },
  };
}
