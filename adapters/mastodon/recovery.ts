import type { RecoverOptions, Recovery } from '#src/operation/platform.ts';
import type { MastodonContext } from './context.ts';
import { readHtml } from './html/plain-text.ts';
import { ownStatuses } from './own-statuses.ts';
import { firstVersionOf, sourceOf } from './versions.ts';
import type { StatusRow } from './wire/status.ts';

/** What is known of a status of which nobody knows whether it was posted. */
export interface Saying {
  readonly text: string;
  /** What else has to be true of it. */
  readonly isLike: (row: StatusRow) => boolean;
}

/** A status that may be the one, and how it stood first. */
interface Candidate {
  readonly row: StatusRow;
  readonly first: StatusRow;
}

/** Looks through all that the account posted since. Keys are no help: servers forget them after an hour, or never looked at them. */
export async function findPosted(
  { text, isLike }: Saying,
  { since, taken, signal }: RecoverOptions,
  context: MastodonContext,
): Promise<Recovery<StatusRow>> {
  const own = await ownStatuses(since, signal, context);
  if (own === 'cannotTell') return own;
  const wanted = comparable(text);
  const candidates: Candidate[] = [];
  let isSure = own.areAll;
  // The one that was posted first was asked for first.
  for (const row of own.since.filter(({ id }) => !taken.has(id)).toReversed()) {
    const first = await firstVersionOf(row, signal, context);
    isSure &&= first !== undefined;
    if (isLike(first ?? row)) candidates.push({ row, first: first ?? row });
  }
  const alike = candidates.find(({ first }) => shown(first) === wanted);
  if (alike) return { found: alike.row };
  for (const { row } of candidates) {
    const source = await sourceOf(row, signal, context);
    if (source?.trim() === text.trim()) return { found: row };
    // A server that changes what it shows, and does not tell what was written, may show what is looked for.
    isSure &&= source !== undefined && (row.edited_at === undefined || shown(row) === comparable(source));
  }
  // It may be the one, by a clock of this machine that is far ahead.
  const isDoubtful = own.before.some((row) => !taken.has(row.id) && isLike(row) && shown(row) === wanted);
  return isSure && !isDoubtful ? 'absent' : 'cannotTell';
}

function shown(row: StatusRow): string {
  return comparable(readHtml(row.content, row).text);
}

/** A text without what servers change when they show it. */
function comparable(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/@([\w.-]+)@[\p{L}\p{N}.-]+/gu, '@$1')
    .replace(/\s+/gu, '');
}
