import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

interface States {
  /** The state that the copy replaces. It may be missing, damaged or of an earlier version. */
  readonly from: string;
  /** The copy, in the newest version. */
  readonly to: string;
}

/** Takes over the spending that only the replaced state knows, because a platform does not forget what it billed since the copy was made. */
export function keepSpending({ from, to }: States): void {
  const spent = spentIn(from);
  if (spent.length === 0) return;
  using copy = new DatabaseSync(to);
  const raise = copy.prepare(
    `insert into spent (account, month, micro_usd) values (?, ?, ?)
     on conflict (account, month) do update set micro_usd = max(micro_usd, excluded.micro_usd)`,
  );
  for (const { account, month, micro_usd } of spent) raise.run(account ?? null, month ?? null, micro_usd ?? null);
}

function spentIn(state: string) {
  if (!existsSync(state)) return [];
  try {
    using database = new DatabaseSync(state, { readOnly: true });
    return database.prepare('select account, month, micro_usd from spent').all();
  } catch {
    // A damaged state is a reason to restore a copy.
    return [];
  }
}
