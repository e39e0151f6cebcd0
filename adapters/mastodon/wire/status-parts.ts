import { z } from 'zod';
import { readHtml } from '../text/html.ts';
import { fileCount, filled, id, instant, part, text } from './parts.ts';

/** What tells the statuses of one account apart. A part that cannot be read is undefined. */
export interface StatusParts {
  readonly id: string | undefined;
  readonly url: string | undefined;
  readonly createdAt: Date | undefined;
  readonly isEdited: boolean | undefined;
  readonly isReblog: boolean | undefined;
  /** As `comparable` returns it. */
  readonly text: string | undefined;
  /** The status that it replies to; null: none. */
  readonly replyTo: string | null | undefined;
  readonly visibility: string | undefined;
  readonly mediaCount: number | undefined;
  /** The options of its poll, as `optionsKey` returns them; empty: it has no poll. */
  readonly pollOptions: string | undefined;
  readonly isQuote: boolean | undefined;
  readonly mentions: readonly Mention[] | undefined;
}

const isPresent = z
  .unknown()
  .optional()
  .transform((value) => value !== null && value !== undefined && value !== '');
const Mention = z.object({ id, username: text, acct: text, url: filled });
type Mention = z.output<typeof Mention>;
const Mentions = z
  .array(Mention)
  .nullish()
  .transform((list): readonly Mention[] => list ?? []);
const Options = z
  .object({ options: z.array(z.object({ title: z.string() })) })
  .nullish()
  .transform((poll) => optionsKey(poll?.options.map(({ title }) => title)));
/** A version in the history of a status has these parts only. */
const changeable = { content: part(text), media_attachments: part(fileCount), poll: part(Options) };

/** An answer of which nothing can be read. */
export const UNREADABLE: StatusParts = {
  id: undefined,
  url: undefined,
  createdAt: undefined,
  isEdited: undefined,
  isReblog: undefined,
  text: undefined,
  replyTo: undefined,
  visibility: undefined,
  mediaCount: undefined,
  pollOptions: undefined,
  isQuote: undefined,
  mentions: undefined,
};

/** Any answer about a status, as far as it can be read. */
export const StatusParts = z
  .object({
    ...changeable,
    id: part(id),
    url: part(filled),
    created_at: part(instant),
    edited_at: isPresent,
    reblog: isPresent,
    in_reply_to_id: part(id.nullish().transform((replyTo) => replyTo ?? null)),
    visibility: part(z.string()),
    quote: isPresent,
    quote_id: isPresent,
    mentions: part(Mentions),
  })
  .transform((wire): StatusParts => ({
    id: wire.id,
    url: wire.url,
    createdAt: wire.created_at,
    isEdited: wire.edited_at,
    isReblog: wire.reblog,
    text: wire.content === undefined ? undefined : shownText(wire.content, wire.mentions),
    replyTo: wire.in_reply_to_id,
    visibility: wire.visibility,
    mediaCount: wire.media_attachments,
    pollOptions: wire.poll,
    isQuote: wire.quote || wire.quote_id,
    mentions: wire.mentions,
  }))
  .catch(UNREADABLE);

/** An earlier version of a status. */
export const Version = z.object({ ...changeable, created_at: instant });
export type Version = z.output<typeof Version>;

/** The parts that an edit cannot change. */
export function unchangeable(status: StatusParts): StatusParts {
  return { ...status, text: undefined, mediaCount: undefined, pollOptions: undefined, mentions: undefined };
}

/** The status as it was in an earlier version. */
export function asInVersion(status: StatusParts, { content, media_attachments: mediaCount, poll: pollOptions }: Version): StatusParts {
  const text = content === undefined ? undefined : shownText(content, status.mentions);
  return { ...status, text, mediaCount, pollOptions };
}

/** The options of a poll as one text, without what servers remove. */
export function optionsKey(options: readonly string[] = []): string {
  return options
    .map((option) => option.trim())
    .filter((option) => option !== '')
    .join('\n');
}

/** A text without what servers change when they show it. */
export function comparable(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/@([\w.-]+)@[\p{L}\p{N}.-]+/gu, '@$1')
    .replace(/\s+/gu, '');
}

function shownText(content: string, mentions: StatusParts['mentions']): string {
  return comparable(readHtml(content, { mentions }).text);
}
