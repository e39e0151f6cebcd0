/** Why a condition does not hold: what was false in it, or that it cannot be worked out. */
export type Falsehood =
  | { readonly kind: 'false'; readonly clauses: readonly FalseClause[] }
  /** `error` says why, for the rule's author. */
  | { readonly kind: 'unclear'; readonly source: string; readonly error: string };

/** A part of a condition that was false, and what its own parts came to. */
export interface FalseClause {
  readonly source: string;
  readonly values: readonly { readonly of: string; /** As JSON; absent: there is no value. */ readonly is?: string | undefined }[];
}
