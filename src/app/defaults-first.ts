/** The default accounts in their order, then all others. The first account is used if no account is named. */
export function defaultsFirst<T extends { readonly account: string }>(
  accounts: readonly T[],
  defaults: readonly string[] = [],
): readonly T[] {
  const place = ({ account }: T): number => (defaults.includes(account) ? defaults.indexOf(account) : defaults.length);
  return accounts.toSorted((a, b) => place(a) - place(b));
}
