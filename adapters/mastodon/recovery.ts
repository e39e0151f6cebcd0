import type { RecoverOptions, Recovery } from '#src/operation/platform.ts';
import type { MastodonContext } from './context.ts';
import { isFault } from './faults.ts';
import { readHtml } from './html/plain-text.ts';
import { ifReadable } from './wire/parts.ts';
import { StatusRow } from './wire/status.ts';

const MOST_PAGES = 10;
/** How far the clocks of the server and of this machine may be apart. */
const LEEWAY_MS = 60_000;

/** What is known of a status of which nobody knows whether it was posted. */
export interface Saying {
  readonly text: string;
  /** What else has to be true of it. */
  readonly isLike: (row: StatusRow) => boolean;
}

/** Looks through all that the account posted since. Keys are no help: servers forget them after an hour, or never looked at them. */
export async function findPosted(
  { text, isLike }: Saying,
  { since, taken, signal }: RecoverOptions,
  context: MastodonContext,
): Promise<Recovery<StatusRow>> {
  const known = await ownStatuses(since, signal, context);
  if (known === 'cannotTell') return known;
  // The one that was posted first was asked for first.
  const candidates = known.own.filter((row) => !taken.has(row.id) && isLike(row)).toReversed();
  const wanted = comparable(text);
  const alike = candidates.find((row) => comparable(readHtml(row.content, row).text) === wanted);
  if (alike) return { found: alike };
  let isSure = known.areAll;
  for (const row of candidates) {
    const source = await sourceOf(row, signal, context);
    if (source?.trim() === text.trim()) return { found: row };
    // A server that changes what it shows, and does not tell what was written, may show what is looked for.
    isSure &&= source !== undefined;
  }
  return isSure ? 'absent' : 'cannotTell';
}

/** Newest first; `areAll` where none of them was left out because nobody can read it: that may be the one. */
async function ownStatuses(
  since: Date,
  signal: AbortSignal | undefined,
  { api, accounts }: MastodonContext,
): Promise<{ readonly own: readonly StatusRow[]; readonly areAll: boolean } | 'cannotTell'> {
  const path = `/api/v1/accounts/${encodeURIComponent(await accounts.myId(signal))}/statuses`;
  const request = { path, query: { limit: 40, exclude_reblogs: true }, scope: 'read:statuses' };
  const fromMs = since.getTime() - LEEWAY_MS;
  const own: StatusRow[] = [];
  const isBefore = (row: StatusRow | undefined): boolean => row !== undefined && row.created_at.getTime() < fromMs;
  let areAll = true;
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await api.page(request, ifReadable(StatusRow), { cursor, signal });
    const end = page.rows.findIndex(isBefore);
    areAll &&= !page.rows.slice(0, end === -1 ? undefined : end).includes(undefined);
    own.push(...page.rows.filter((row) => row !== undefined).filter((row) => !isBefore(row) && !row.reblog));
    cursor = page.cursor;
    if (cursor === undefined || isBefore(page.rows.findLast((row) => row !== undefined))) return { own, areAll };
  }
  return 'cannotTell';
}

/** What was written, where the server tells its author. */
async function sourceOf({ id }: StatusRow, signal: AbortSignal | undefined, { api }: MastodonContext): Promise<string | undefined> {
  try {
    const response = await api.send({ path: `/api/v1/statuses/${encodeURIComponent(id)}/source`, scope: 'read:statuses', signal });
    return response.json(StatusRow.pick({ id: true }).extend({ text: StatusRow.shape.content })).text;
  } catch (error) {
    if (isFault(error, 'missing', 'forbidden', 'rejected', 'malformed')) return undefined;
    throw error;
  }
}

/** A text without what servers change when they show it. */
function comparable(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/@([\w.-]+)@[\p{L}\p{N}.-]+/gu, '@$1')
    .replace(/\s+/gu, '');
}
