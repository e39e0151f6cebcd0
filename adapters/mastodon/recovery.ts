import type { RecoverOptions, Recovery } from '#src/operation/platform.ts';
import type { MastodonContext } from './context.ts';
import { ownStatuses, type PostedStatus } from './own-statuses.ts';
import { firstVersionOf, sourceOf } from './versions.ts';
import { comparable, unchangeable, type StatusParts } from './wire/status-parts.ts';
import type { StatusRow } from './wire/status.ts';

/** What is known of a status of which nobody knows whether it was posted. */
export interface Saying {
  readonly text: string;
  /** Whether a status can be the one, by all but its text. A part that cannot be read rules nothing out. */
  readonly canBe: (known: StatusParts) => boolean;
}

export interface FoundStatus extends PostedStatus {
  readonly row: StatusRow;
}

/** A status that may be the one, and what is known of how it was at first. */
interface Candidate extends PostedStatus {
  readonly first: StatusParts;
}

/** Looks through all that the account posted since. Keys are no help: servers forget them after an hour, or never looked at them. */
export async function findPosted(
  { text, canBe }: Saying,
  { since, taken, signal }: RecoverOptions,
  context: MastodonContext,
): Promise<Recovery<FoundStatus>> {
  const own = await ownStatuses(since, signal, context);
  if (own === 'cannotTell') return own;
  const wanted = comparable(text);
  const isFree = ({ known: { id } }: PostedStatus): boolean => id === undefined || !taken.has(id);
  const candidates: Candidate[] = [];
  // The one that was posted first was asked for first.
  for (const { row, known } of own.since.filter(isFree).toReversed()) {
    if (!canBe(known.isEdited ? unchangeable(known) : known)) continue;
    const first = await firstVersionOf(known, signal, context);
    if (canBe(first)) candidates.push({ row, known, first });
  }
  const alike = candidates.find(({ row, known, first }) => row && isAlike(first.text === undefined ? known : first));
  if (alike?.row) return { found: { row: alike.row, known: alike.known } };
  let isSure = own.areAll;
  for (const { row, known, first } of candidates) {
    if (!row && first.text === wanted) {
      isSure = false;
      continue;
    }
    const source = known.id === undefined ? undefined : await sourceOf(known.id, signal, context);
    const isWanted = source?.trim() === text.trim();
    if (isWanted && row) return { found: { row, known } };
    isSure &&= !isWanted && source !== undefined && rulesOut(source, { known, first });
  }
  // It may be the one, by a clock of this machine that is far ahead.
  const isDoubtful = own.before.some((status) => isFree(status) && isAlike(status.known));
  return isSure && !isDoubtful ? 'absent' : 'cannotTell';

  function isAlike(known: StatusParts): boolean {
    return known.text === wanted && canBe(known);
  }
}

/**
 * Whether a source with another text proves that the first version had another text, too.
 *
 * The source is that of the last version. After an edit, the first version can only be compared as it was shown, so the server has to show texts
 * as they are written.
 */
function rulesOut(source: string, { known, first }: Pick<Candidate, 'known' | 'first'>): boolean {
  return known.isEdited === false || (first.text !== undefined && known.text === comparable(source));
}
