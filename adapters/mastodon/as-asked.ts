import { PlatformError } from '#src/errors.ts';
import type { Draft } from './composing.ts';
import type { AccountRow } from './wire/account.ts';
import { PLATFORM } from './wire/parts.ts';
import type { StatusParts } from './wire/status-parts.ts';

/** The parts of a requested status that a server may remove or change. */
export interface AskedStatus {
  readonly hasPoll: boolean;
  readonly fileCount: number;
  readonly isReply: boolean;
  readonly isQuote: boolean;
  readonly visibility?: string | undefined;
  readonly recipients?: readonly Pick<AccountRow, 'id' | 'acct'>[] | undefined;
}

export function askedOf({ poll, files = [], replyTo, quote }: Pick<Draft, 'poll' | 'files' | 'replyTo' | 'quote'>): AskedStatus {
  return { hasPoll: poll !== undefined, fileCount: files.length, isReply: replyTo !== undefined, isQuote: quote !== undefined };
}

export interface MadeStatus {
  /** The server. */
  readonly domain: string;
  readonly parts: StatusParts;
  /** The record that the caller gets. */
  readonly record: { readonly id: string; readonly url?: string | undefined };
}

/** Throws if the server made another status than was asked for. The error has the record of that status. */
export function assertAsAsked(asked: AskedStatus, { domain, parts, record }: MadeStatus): void {
  const different = differences(asked, parts);
  if (different.length === 0) return;
  const message = `${domain} sent it ${different.join(' and ')}. It exists: ${record.url ?? `its id is ${record.id}`}. Fanfare does not send it again; delete or edit it there.`;
  throw new PlatformError(`${PLATFORM}: ${message}`, { platform: PLATFORM, fault: 'rejected', record });
}

/** The differences, as text. A part that the answer does not contain is not a difference. */
function differences({ hasPoll, fileCount, isReply, isQuote, visibility, recipients = [] }: AskedStatus, made: StatusParts): string[] {
  const { mentions, mediaCount = fileCount } = made;
  const unreached = recipients.filter(({ id, acct }) => mentions && !mentions.some((one) => one.id === id || one.acct === acct));
  return [
    hasPoll && made.pollOptions === '' ? ['without its poll'] : [],
    mediaCount < fileCount ? [`with ${mediaCount} of ${fileCount} files`] : [],
    isReply && made.replyTo === null ? ['not as a reply'] : [],
    isQuote && made.isQuote === false ? ['without its quote'] : [],
    visibility !== undefined && (made.visibility ?? visibility) !== visibility ? [`with the visibility "${made.visibility}"`] : [],
    unreached.length > 0 ? [`not to ${unreached.map(({ acct }) => `@${acct}`).join(', ')}`] : [],
  ].flat();
}
