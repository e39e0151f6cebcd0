/** The same, in the order of `defaults` as far as they are there, then the others: where nobody names an account, the first is asked. */
export function defaultsFirst<T extends { readonly account: string }>(
  accounts: readonly T[],
  defaults: readonly string[] = [],
): readonly T[] {
  const place = ({ account }: T): number => (defaults.includes(account) ? defaults.indexOf(account) : defaults.length);
  return accounts.toSorted((a, b) => place(a) - place(b));
}
