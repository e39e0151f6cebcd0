import { z } from 'zod';
import { doubtfulMs, soonestMs } from '#src/operation/lost-among.ts';
import { MOST } from './api.ts';
import type { MastodonContext } from './context.ts';
import { StatusParts } from './wire/status-parts.ts';
import { StatusRow } from './wire/status.ts';

const MOST_PAGES = 10;
/** So many pages of what was posted before are read for clocks that are further apart. */
const MOST_PAGES_BEFORE = 2;

/** A status of the account; one that cannot be read as a whole has no row. */
export interface PostedStatus {
  readonly row: StatusRow | undefined;
  readonly known: StatusParts;
}

const PostedStatusRow = z
  .unknown()
  .transform((status): PostedStatus => ({ row: StatusRow.safeParse(status).data, known: StatusParts.parse(status) }));

/** What an account posted, newest first. */
export interface OwnStatuses {
  readonly since: readonly PostedStatus[];
  /** In the day before: where the clock of this machine is ahead, what was posted since seems to be of then. */
  readonly before: readonly PostedStatus[];
  /** Whether the server gave all of them. */
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
  const statuses: PostedStatus[] = [];
  let cursor: string | undefined;
  let pagesBefore = 0;
  for (let pages = 0; pages < MOST_PAGES && pagesBefore <= MOST_PAGES_BEFORE; pages++) {
    const page = await api.page(request, PostedStatusRow, { cursor, signal });
    const last = page.rows.findLast(({ known }) => known.id !== undefined && known.createdAt !== undefined)?.known;
    // Not every server says where a list goes on.
    const next = page.cursor ?? (last?.id && `max_id=${encodeURIComponent(last.id)}`);
    // Nor does every server look at it: this one gave the same again.
    if (last && page.cursor === undefined && next === cursor) return sorted({ areAll: pagesBefore > 0 });
    statuses.push(...page.rows);
    if (last && !isOfDayBefore(last)) return sorted();
    if (last && !isSince(last)) pagesBefore++;
    if (next === undefined) return sorted();
    cursor = next;
  }
  return pagesBefore > 0 ? sorted() : 'cannotTell';

  function sorted({ areAll = true } = {}): OwnStatuses {
    const end = statuses.findIndex(({ known }) => known.createdAt !== undefined && !isSince(known));
    const own = statuses
      // The list is newest first: the place of a status without a readable time tells whether it can be one since then.
      .map((status, place) => ({ status, isSince: status.known.createdAt ? isSince(status.known) : end === -1 || place < end }))
      .filter(({ status }) => status.known.isReblog !== true);
    return {
      since: own.filter((one) => one.isSince).map(({ status }) => status),
      before: own.filter((one) => !one.isSince && isOfDayBefore(one.status.known)).map(({ status }) => status),
      areAll,
    };
  }
}

/** Whether a status is from this instant on, as far as its time can be read. */
function isFrom(fromMs: number): (known: StatusParts) => boolean {
  return ({ createdAt }) => createdAt !== undefined && createdAt.getTime() >= fromMs;
}
