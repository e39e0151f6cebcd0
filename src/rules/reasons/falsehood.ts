/** Why a condition is false: its false clauses, or an error in its evaluation. */
export type Falsehood =
  | { readonly kind: 'false'; readonly clauses: readonly FalseClause[] }
  /** `error` is the message for the author of the rule. */
  | { readonly kind: 'error'; readonly source: string; readonly error: string };

/** A false clause of a condition, with the values in it. */
export interface FalseClause {
  readonly source: string;
  readonly values: readonly {
    readonly expression: string;
    /** JSON. Absent if there is no value. */ readonly value?: string | undefined;
  }[];
}
