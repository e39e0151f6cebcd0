import { z } from 'zod';
import type { Post } from '#src/clients/social/records/post.ts';
import { QuoteApproval } from './status.ts';
import { arrayOf } from '#src/http/lenient.ts';
import { readHtml } from '../text/html.ts';
import { comparable, alphanumericsOf, withWholeLinks } from './written.ts';
import { fileCount, filled, id, instant, part, text } from './parts.ts';

/** The parts that distinguish the statuses of one account. Unreadable parts are undefined. */
export interface StatusParts {
  readonly id: string | undefined;
  readonly url: string | undefined;
  readonly createdAt: Date | undefined;
  readonly isEdited: boolean | undefined;
  readonly isReblog: boolean | undefined;
  /** The text in the form of `comparable`. */
  readonly text: string | undefined;
  /** The text in the form of `alphanumericsOf`. */
  readonly alphanumerics: string | undefined;
  /** The parent of a reply; null if the status is no reply. */
  readonly replyTo: string | null | undefined;
  readonly visibility: string | undefined;
  readonly mediaCount: number | undefined;
  /** The poll options in the form of `optionsKey`; empty without a poll. */
  readonly pollOptions: string | undefined;
  readonly isQuote: boolean | undefined;
  /** The content warning; empty without one. */
  readonly warning: string | undefined;
  /** Who can quote the status. */
  readonly quotable: Post['quotable'];
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
  .object({ options: arrayOf(z.object({ title: z.string() })) })
  .nullish()
  .transform((poll) => optionsKey(poll?.options.map(({ title }) => title)));
const Warning = z
  .string()
  .nullish()
  .transform((warning) => warning?.trim());
/** The parts in the history of a status. */
const changeable = { content: part(text), spoiler_text: part(Warning), media_attachments: part(fileCount), poll: part(Options) };

/** The parts of an unreadable response. */
export const UNREADABLE: StatusParts = {
  id: undefined,
  url: undefined,
  createdAt: undefined,
  isEdited: undefined,
  isReblog: undefined,
  text: undefined,
  alphanumerics: undefined,
  replyTo: undefined,
  visibility: undefined,
  mediaCount: undefined,
  pollOptions: undefined,
  isQuote: undefined,
  warning: undefined,
  quotable: undefined,
  mentions: undefined,
};

/** The readable parts of any response with a status. */
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
    quote_approval: part(QuoteApproval.nullish()),
    mentions: part(Mentions),
  })
  .transform((wire): StatusParts => ({
    id: wire.id,
    url: wire.url,
    createdAt: wire.created_at,
    isEdited: wire.edited_at,
    isReblog: wire.reblog,
    ...shownText(wire.content, wire.mentions),
    replyTo: wire.in_reply_to_id,
    visibility: wire.visibility,
    mediaCount: wire.media_attachments,
    pollOptions: wire.poll,
    isQuote: wire.quote || wire.quote_id,
    warning: wire.spoiler_text,
    quotable: wire.quote_approval?.quotable ?? undefined,
    mentions: wire.mentions,
  }))
  .catch(UNREADABLE);

/** An earlier version of a status. */
export const Version = z.object({ ...changeable, created_at: instant });
export type Version = z.output<typeof Version>;

/** The parts that an edit cannot change. */
export function unchangeable(status: StatusParts): StatusParts {
  const unknown = { text: undefined, alphanumerics: undefined, mediaCount: undefined, pollOptions: undefined, warning: undefined };
  return { ...status, ...unknown, mentions: undefined };
}

/** The status in an earlier version. */
export function asInVersion(
  status: StatusParts,
  { content, spoiler_text: warning, media_attachments: mediaCount, poll: pollOptions }: Version,
): StatusParts {
  return { ...status, ...shownText(content, status.mentions), mediaCount, pollOptions, warning };
}

/** The options of a poll as one text, without the white space that servers remove. */
export function optionsKey(options: readonly string[] = []): string {
  return options
    .map((option) => option.trim())
    .filter((option) => option !== '')
    .join('\n');
}

/** The text of a status in both forms; undefined if it is unreadable. */
function shownText(content: string | undefined, mentions: StatusParts['mentions']): Pick<StatusParts, 'text' | 'alphanumerics'> {
  if (content === undefined) return { text: undefined, alphanumerics: undefined };
  const shown = withWholeLinks(readHtml(content, { mentions }));
  return { text: comparable(shown), alphanumerics: alphanumericsOf(shown) };
}
