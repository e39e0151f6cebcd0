/** An expression and its result as JSON. */
export interface Evaluation {
  readonly expression: string;
  readonly result: unknown;
}

/** A function of expressions. `name` begins with a dot if the function is called on a value. */
export interface FunctionEntry {
  readonly name: string;
  /** The calls with the types of their values. */
  readonly forms: readonly string[];
  readonly returns: string;
  readonly meaning: string;
  readonly examples: readonly Evaluation[];
}

/** A group of functions. */
export interface FunctionGroup {
  readonly title: string;
  readonly functions: readonly FunctionEntry[];
}
