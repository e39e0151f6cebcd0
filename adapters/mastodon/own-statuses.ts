import { doubtfulMs, soonestMs } from '#src/operation/lost-among.ts';
import { MOST } from './api.ts';
import type { MastodonContext } from './context.ts';
import { ifReadable } from './wire/parts.ts';
import { StatusRow } from './wire/status.ts';

const MOST_PAGES = 10;
/** So many pages of what was posted before are read for clocks that are further apart. */
const MOST_PAGES_BEFORE = 2;

/** What an account posted, newest first. */
export interface OwnStatuses {
  readonly since: readonly StatusRow[];
  /** In the day before: where the clock of this machine is ahead, what was posted since seems to be of then. */
  readonly before: readonly StatusRow[];
  /** Whether none since was left out because nobody can read it, or the server does not give it. */
  readonly areAll: boolean;
}

/** What the signed-in account posted since; `cannotTell` where that is too much. */
export async function ownStatuses(
  since: Date,
  signal: AbortSignal | undefined,
  { api, accounts }: Pick<MastodonContext, 'api' | 'accounts'>,
): Promise<OwnStatuses | 'cannotTell'> {
  const path = `/api/v1/accounts/${encodeURIComponent(await accounts.myId(signal))}/statuses`;
  const request = { path, query: { limit: MOST.statuses, exclude_reblogs: true }, scope: 'read:statuses' };
  const isSince = isFrom(soonestMs(since));
  const isOfDayBefore = isFrom(doubtfulMs(since));
  const rows: (StatusRow | undefined)[] = [];
  let cursor: string | undefined;
  let pagesBefore = 0;
  for (let pages = 0; pages < MOST_PAGES && pagesBefore <= MOST_PAGES_BEFORE; pages++) {
    const page = await api.page(request, ifReadable(StatusRow), { cursor, signal });
    const last = page.rows.findLast((row) => row !== undefined);
    // Not every server says where a list goes on.
    const next = page.cursor ?? (last && `max_id=${encodeURIComponent(last.id)}`);
    // Nor does every server look at it: this one gave the same again.
    if (last && page.cursor === undefined && next === cursor) return sorted({ isWhole: pagesBefore > 0 });
    rows.push(...page.rows);
    if (last && !isOfDayBefore(last)) return sorted();
    if (last && !isSince(last)) pagesBefore++;
    if (next === undefined) return sorted();
    cursor = next;
  }
  return pagesBefore > 0 ? sorted() : 'cannotTell';

  function sorted({ isWhole = true } = {}): OwnStatuses {
    const end = rows.findIndex((row) => row && !isSince(row));
    const own = rows.filter((row) => row !== undefined).filter(({ reblog }) => !reblog);
    return {
      since: own.filter(isSince),
      before: own.filter((row) => !isSince(row) && isOfDayBefore(row)),
      areAll: isWhole && !rows.slice(0, end === -1 ? undefined : end).includes(undefined),
    };
  }
}

function isFrom(fromMs: number): (row: StatusRow) => boolean {
  return ({ created_at: at }) => at.getTime() >= fromMs;
}
