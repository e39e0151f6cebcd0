import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import { doubtfulMs, soonestMs } from '#src/clients/operation/find-lost.ts';
import type { RecoverOptions, Recovery } from '#src/clients/operation/platform.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import { MOST } from '../client.ts';
import type { AccountContext } from '../account-context.ts';
import { text } from '../wire/parts.ts';
import { asInVersion, StatusParts, unchangeable, Version } from '../wire/status-parts.ts';
import { comparable, alphanumericsOf } from '../wire/written.ts';
import { StatusRow } from '../wire/status.ts';

const MOST_PAGES = 10;
/** Mastodon keeps a key for an hour after it created the status. A repeat is sent within the rest of the hour. Other servers may ignore keys. */
const KEY_KEPT_MS = 55 * 60_000;
/** The pages of older statuses that are read, in case the clocks differ by more than usual. */
const MOST_PAGES_BEFORE = 2;

/** A status of the account; without a row if only parts are readable. */
interface PostedStatus {
  readonly row: StatusRow | undefined;
  readonly known: StatusParts;
}

const PostedStatusRow = z
  .unknown()
  .transform((status): PostedStatus => ({ row: StatusRow.safeParse(status).data, known: StatusParts.parse(status) }));

/** The statuses of an account, newest first. */
interface AccountStatuses {
  readonly since: readonly PostedStatus[];
  /** The statuses of the day before. If the clock of this machine is ahead, newer statuses appear among them. */
  readonly before: readonly PostedStatus[];
  /** Whether the list is complete. */
  readonly areAll: boolean;
}

/** Reads the statuses that the signed-in account posted since the write began. */
async function accountStatuses(
  since: Date,
  signal: AbortSignal | undefined,
  { api, accounts }: Pick<AccountContext, 'api' | 'accounts'>,
): Promise<AccountStatuses | 'tooMany'> {
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
    // Some servers do not state the next page.
    const next = page.cursor ?? (last?.id && `max_id=${encodeURIComponent(last.id)}`);
    // This server ignores `max_id` and returned the same page again.
    if (last && page.cursor === undefined && next === cursor) return sorted({ areAll: pagesBefore > 0 });
    statuses.push(...page.rows);
    if (last && !isOfDayBefore(last)) return sorted();
    if (last && !isSince(last)) pagesBefore++;
    if (next === undefined) return sorted();
    cursor = next;
  }
  return pagesBefore > 0 ? sorted() : 'tooMany';

  function sorted({ areAll = true } = {}): AccountStatuses {
    const end = statuses.findIndex(({ known }) => known.createdAt !== undefined && !isSince(known));
    const statusesOfAccount = statuses
      // The list is newest first, so a status without a readable time is dated by its position.
      .map((status, position) => ({ status, isSince: status.known.createdAt ? isSince(status.known) : end === -1 || position < end }))
      .filter(({ status }) => status.known.isReblog !== true);
    return {
      since: statusesOfAccount.filter((one) => one.isSince).map(({ status }) => status),
      before: statusesOfAccount.filter((one) => !one.isSince && isOfDayBefore(one.status.known)).map(({ status }) => status),
      areAll,
    };
  }
}

/** Whether a status with a readable time is not older than this instant. */
function isFrom(fromMs: number): (known: StatusParts) => boolean {
  return ({ createdAt }) => createdAt !== undefined && createdAt.getTime() >= fromMs;
}

const SCOPE = 'read:statuses';
/** Faults of servers without the history or the source of a status. */
const WITHOUT_ANSWER = ['missing', 'forbidden', 'rejected', 'malformed'] as const;
const SourceRow = z.object({ text: text });

/** The source of a status, which some servers return to its author. */
export async function statusSource(
  id: string,
  signal: AbortSignal | undefined,
  { api }: Pick<AccountContext, 'api'>,
): Promise<string | undefined> {
  const source = api.send({ path: pathOf(id, 'source'), scope: SCOPE, signal }).then((response) => response.json(SourceRow).text);
  return ignoreFaults(source, ...WITHOUT_ANSWER);
}

/** The status before any edit; if the server has no history, only the parts that an edit cannot change. */
async function firstVersionOf(
  known: StatusParts,
  signal: AbortSignal | undefined,
  { api }: Pick<AccountContext, 'api'>,
): Promise<StatusParts> {
  const { id, isEdited } = known;
  if (isEdited === false) return known;
  const versions = id === undefined ? undefined : await ignoreFaults(readVersions(id), ...WITHOUT_ANSWER);
  const [first] = versions ?? [];
  // Some servers keep the last version only.
  return versions && first && versions.length > 1 ? asInVersion(known, first) : unchangeable(known);

  async function readVersions(statusId: string): Promise<readonly Version[]> {
    const response = await api.send({ path: pathOf(statusId, 'history'), scope: SCOPE, signal });
    return response.json(arrayOf(Version)).toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
  }
}

function pathOf(id: string, part: string): string {
  return `/api/v1/statuses/${encodeURIComponent(id)}/${part}`;
}

/** A status whose outcome is unknown. */
interface LostStatus {
  readonly text: string;
  /** Whether a mention that is not in `text` may precede it. */
  readonly mayHaveMention?: boolean | undefined;
  /** Whether a repeat has the key of the lost write. */
  readonly isRepeatedWithKey?: boolean | undefined;
  /** Whether a status can be the lost one, by everything but its text. Unreadable parts exclude nothing. */
  readonly canBe: (known: StatusParts) => boolean;
}

interface FoundStatus extends PostedStatus {
  readonly row: StatusRow;
}

/** A status that may be the lost one, and its first version if it is known. */
interface Candidate extends PostedStatus {
  readonly first: StatusParts;
}

/** Whether a repeat with the key of a write that began at `since` creates no second status. */
async function keepsKeySince(
  since: Date,
  signal: AbortSignal | undefined,
  { api, instances }: Pick<AccountContext, 'api' | 'instances'>,
): Promise<boolean> {
  return api.now().getTime() - since.getTime() < KEY_KEPT_MS && (await instances.current(signal)).isMastodon;
}

/** Searches the statuses that the account posted since the write began. Servers forget idempotency keys after an hour, or ignore them. */
export async function findLostStatus(
  { text, mayHaveMention = false, isRepeatedWithKey = false, canBe }: LostStatus,
  { since, taken, signal }: RecoverOptions,
  context: AccountContext,
): Promise<Recovery<FoundStatus>> {
  const posted = await accountStatuses(since, signal, context);
  if (posted === 'tooMany') return isRepeatedWithKey && (await keepsKeySince(since, signal, context)) ? 'absent' : 'cannotTell';
  const wanted = comparable(text);
  const isFree = ({ known: { id } }: PostedStatus): boolean => id === undefined || !taken.has(id);
  const candidates: Candidate[] = [];
  // Of several equal statuses, the oldest belongs to the oldest write.
  for (const { row, known } of posted.since.filter(isFree).toReversed()) {
    if (!canBe(known.isEdited ? unchangeable(known) : known)) continue;
    const first = await firstVersionOf(known, signal, context);
    if (canBe(first)) candidates.push({ row, known, first });
  }
  const alike = candidates.find(({ row, known, first }) => row && isAlike(first.text === undefined ? known : first));
  if (alike?.row) return { found: { row: alike.row, known: alike.known } };
  let isSure = posted.areAll;
  for (const { row, known, first } of candidates) {
    if (!row && first.text === wanted) {
      isSure = false;
      continue;
    }
    const source = known.id === undefined ? undefined : await statusSource(known.id, signal, context);
    const isWanted = source?.trim() === text.trim();
    if (isWanted && row) return { found: { row, known } };
    isSure &&= !isWanted && source !== undefined && rulesOut(source, { known, first, text });
  }
  // An older status may be the lost one if the clock of this machine is far ahead.
  const isDoubtful = posted.before.some((status) => isFree(status) && isAlike(status.known));
  return isSure && !isDoubtful ? 'absent' : 'cannotTell';

  function isText({ text: shown, mentions = [] }: StatusParts): boolean {
    if (shown === wanted) return true;
    return mayHaveMention && mentions.some(({ acct }) => shown === comparable(`@${acct} ${text}`));
  }

  function isAlike(known: StatusParts): boolean {
    return isText(known) && canBe(known);
  }
}

/**
 * Whether a source with a different text proves that the first version also had a different text.
 *
 * The source belongs to the last version. After an edit, only the shown text of the first version is known. It counts as far as the server
 * shows the last version as it was written: its text, or at least its letters. A different display of signs and links proves nothing.
 */
function rulesOut(source: string, { known, first, text }: Pick<Candidate, 'known' | 'first'> & Pick<LostStatus, 'text'>): boolean {
  if (known.isEdited === false || first.text === undefined) return known.isEdited === false;
  return (
    known.text === comparable(source) || (known.alphanumerics === alphanumericsOf(source) && first.alphanumerics !== alphanumericsOf(text))
  );
}
