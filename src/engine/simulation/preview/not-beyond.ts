/** No item has a value beyond the line of a number now. */
export type NotBeyond =
  | { readonly kind: 'notAbove'; readonly field: string; readonly line: number }
  | { readonly kind: 'notBelow'; readonly field: string; readonly line: number };
