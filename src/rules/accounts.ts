/** The accounts that rules may name, by the first word of a verb: `streaming`, `social`, `discord`, … */
export interface Accounts {
  readonly [client: string]: {
    readonly all: readonly string[];
    /** Those that are meant where a rule names none. */
    readonly defaults: readonly string[];
  };
}
