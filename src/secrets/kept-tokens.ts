/** The tokens of one account: what it was given when somebody signed in, and what the platform gave in exchange since. */
export interface KeptTokens {
  /** As they were last saved; absent: nobody signed in. */
  load(): Promise<unknown>;
  /** Whether there are others by now than were last loaded or saved here: somebody signed in anew, in this process or another. */
  areOthers(): Promise<boolean>;
  /** Resolves once they outlive a crash. */
  save(tokens: object): Promise<void>;
  /** Does `work` while nobody else, in this process or another, changes the tokens of this account. */
  alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Tokens that are gone with the program. */
export function tokensInMemory(tokens?: object): KeptTokens {
  let kept: unknown = tokens;
  let last: Promise<unknown> = Promise.resolve();
  return {
    load: async () => kept,
    areOthers: async () => false,
    async save(next) {
      kept = structuredClone(next);
    },
    alone(work) {
      const turn = last.then(work, work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
