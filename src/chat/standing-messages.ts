/** Where it is kept which message each standing one is; the store fills it. */
export interface StandingMessages {
  /** What was kept last for `name`; undefined: nothing. */
  find(account: string, name: string): Promise<string | undefined>;
  /** Resolves when it is written down for good. */
  keep(account: string, name: string, message: string): Promise<void>;
}
