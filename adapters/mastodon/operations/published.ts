import { PlatformError } from '#src/errors.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { PostVisibility } from '#src/clients/social/enumerations.ts';
import { isWider } from '#src/clients/social/visibility.ts';
import type { AccountContext, Draft } from '../account-context.ts';
import { rejected } from '../errors.ts';
import type { AccountRow } from '../wire/account.ts';
import { PLATFORM } from '../wire/parts.ts';
import type { StatusParts } from '../wire/status-parts.ts';
import { fromWireVisibility } from '../wire/visibility.ts';

/** The parts of a requested status that a server may remove or change. */
export interface RequestedStatus {
  readonly hasPoll: boolean;
  readonly fileCount: number;
  readonly isReply: boolean;
  readonly isQuote: boolean;
  readonly warning?: string | undefined;
  readonly quotable?: Post['quotable'];
  readonly visibility?: PostVisibility | undefined;
  readonly recipients?: readonly Pick<AccountRow, 'id' | 'acct'>[] | undefined;
}

export function requestedStatus({
  poll,
  files = [],
  replyTo,
  quote,
  quotable,
  warning,
  visibility,
}: Pick<Draft, 'poll' | 'files' | 'replyTo' | 'quote' | 'quotable' | 'warning' | 'visibility'>): RequestedStatus {
  const parts = { hasPoll: poll !== undefined, fileCount: files.length, isReply: replyTo !== undefined, isQuote: quote !== undefined };
  return { ...parts, quotable, warning, visibility };
}

interface MadeStatus {
  /** The server. */
  readonly domain: string;
  readonly parts: StatusParts;
  /** The record that the caller gets. */
  readonly record: { readonly id: string; readonly url?: string | undefined };
  /** Removes the status. */
  readonly remove: () => Promise<unknown>;
}

/**
 * Throws if the server made another status than was asked for. The error has the record of that status.
 *
 * A status that more people see than were asked for is removed at once.
 */
export async function assertAsRequested(requested: RequestedStatus, { domain, parts, record, remove }: MadeStatus): Promise<void> {
  const shown = parts.visibility === undefined ? undefined : fromWireVisibility(parts.visibility);
  const { visibility } = requested;
  if (shown !== undefined && visibility !== undefined && isWider(shown, visibility)) {
    const what = `${domain} published the post with the visibility "${shown}" in place of "${visibility}".`;
    try {
      await remove();
    } catch (cause) {
      const message = `${what} Fanfare could not remove it: ${record.url ?? `its id is ${record.id}`}. Delete it there.`;
      throw new PlatformError(`${PLATFORM}: ${message}`, { platform: PLATFORM, fault: 'rejected', record, cause });
    }
    throw rejected(`${what} Fanfare removed it. Use a visibility that the server supports.`);
  }
  const different = differences(requested, parts);
  if (different.length === 0) return;
  const message = `${domain} published the post ${different.join(' and ')}. It exists: ${record.url ?? `its id is ${record.id}`}. Fanfare does not send it again; delete or edit it there.`;
  throw new PlatformError(`${PLATFORM}: ${message}`, { platform: PLATFORM, fault: 'rejected', record });
}

/** The differences, as text. A part that the answer does not contain is not a difference. */
function differences(
  { hasPoll, fileCount, isReply, isQuote, quotable, warning, recipients = [] }: RequestedStatus,
  made: StatusParts,
): string[] {
  const { mentions, mediaCount = fileCount } = made;
  const unreached = recipients.filter(({ id, acct }) => mentions && !mentions.some((one) => one.id === id || one.acct === acct));
  return [
    hasPoll && made.pollOptions === '' ? ['without its poll'] : [],
    mediaCount < fileCount ? [fileCount === 1 ? 'without its file' : `with ${mediaCount} of ${fileCount} files`] : [],
    isReply && made.replyTo === null ? ['not as a reply'] : [],
    isQuote && made.isQuote === false ? ['without its quote'] : [],
    isMoreQuotable(made.quotable, quotable) ? [`quotable by ${made.quotable}`] : [],
    warning !== undefined && made.warning === '' ? ['without its content warning'] : [],
    unreached.length > 0 ? [`not to ${unreached.map(({ acct }) => `@${acct}`).join(', ')}`] : [],
  ].flat();
}

/** Deletes a status of the signed-in account. */
export async function removeStatus({ api }: Pick<AccountContext, 'api'>, id: string, signal: AbortSignal | undefined): Promise<void> {
  const path = `/api/v1/statuses/${encodeURIComponent(id)}`;
  await api.send({ method: 'DELETE', path, scope: 'write:statuses', budget: 'deletes', signal });
}

const WIDEST_FIRST = ['everyone', 'followers', 'nobody'] as const satisfies readonly Post['quotable'][];

/** Whether more people can quote a status than were asked for. A server may allow fewer, for example for followers-only posts. */
function isMoreQuotable(made: Post['quotable'], wanted: Post['quotable']): boolean {
  return made !== undefined && wanted !== undefined && WIDEST_FIRST.indexOf(made) < WIDEST_FIRST.indexOf(wanted);
}
