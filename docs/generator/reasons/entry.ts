/** The documentation of a reason. */
export interface ReasonEntry<R> {
  /** Reasons of this kind, whose messages are shown. */
  readonly examples: readonly R[];
  readonly meaning: string;
  /** The remedy for the operator. */
  readonly action: string;
}
