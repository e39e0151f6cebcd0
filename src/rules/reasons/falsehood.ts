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

/** Stands for a text of a record that not everyone can read. */
export const HIDDEN = '…';

/** The message of an error without the text of a record that it quotes: a key that a map lacks, or the value of a parameter. */
export function withoutText(error: string): string {
  return error.replace(/\b(no such key): .*$/su, '$1').replace(/(, found )".*"/su, `$1${HIDDEN}`);
}

/** The falsehood without texts of records: people who cannot read the records can read reasons. */
export function withoutTexts(falsehood: Falsehood): Falsehood {
  if (falsehood.kind === 'error') return { ...falsehood, error: withoutText(falsehood.error) };
  const clauses = falsehood.clauses.map(({ source, values }) => ({
    source,
    values: values.map((one) => (one.value?.startsWith('"') === true ? { ...one, value: HIDDEN } : one)),
  }));
  return { ...falsehood, clauses };
}
