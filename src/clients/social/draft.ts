import { z } from 'zod';
import { belonging, eachOf, postText } from '#src/clients/operation/parameters.ts';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { idOf, postParam, type Choice, languageCode } from './arguments.ts';
import { PostConversationFilters, PostVisibility, QuoteAudience } from './enumerations.ts';
import { FileParam, fileParam, type FileChoice } from './files.ts';
import type { Community } from './records/discovery.ts';
import type { Place, Post } from './records/post.ts';

const PollParam = z.strictObject({
  options: z.array(z.string().min(1)).min(2).max(4).describe('The options.'),
  durationMinutes: z.int().min(5).max(10_080).default(1440).describe('The duration in minutes.'),
  multiple: z.boolean().default(false).describe('Whether voters can choose several options.'),
});

/** The parameters that cover a post or its media. */
export const contentWarning = {
  warning: postText()
    .overwrite((text) => text.trim())
    .min(1)
    .optional()
    .describe('A content warning. A platform without warnings shows it above the text. A text that begins with it does not repeat it.'),
  sensitive: z.boolean().optional().describe('Whether the files are hidden until a click; by default, only with a warning.'),
};

/** The parameters of a post, sent now or scheduled. */
export const draft = {
  text: postText().describe('The text. Only a post with files, a poll or a quote can have an empty text.'),
  ...contentWarning,
  files: z
    .array(FileParam)
    .max(4)
    .optional()
    .describe(
      'Pictures, videos or sounds: paths, addresses, { path, altText }, { url, altText }, { base64, name, altText }, or { id } of an upload.',
    ),
  filter: z.enum(PostConversationFilters).optional().describe('Who can reply; by default, everyone.'),
  quotable: z.enum(QuoteAudience).optional().describe('Who can quote the post; by default, the setting of the account.'),
  language: languageCode().optional().describe('The language of the text, for example `de`; by default, the language of the account.'),
  visibility: z.enum(PostVisibility).optional().describe('Who sees the post; by default, the setting of the account.'),
  replyTo: belonging(postParam.optional().describe('The post to reply to.')),
  quote: belonging(postParam.optional().describe('The post to quote.')),
  poll: PollParam.optional().describe('A poll: { options, durationMinutes, multiple }.'),
  place: z.string().optional().describe("A place's id."),
  batchCompose: z.boolean().default(false).describe('Whether the post is part of a thread of its author.'),
  community: belonging(z.string().optional().describe('The id of the community of the post.')),
  postOnTimeline: z.boolean().default(false).describe('Whether a post in a community also appears on the main timeline.'),
};

type DraftParams = z.output<z.ZodObject<typeof draft>>;

/** Whether a post has content: a text, files, a poll or a quoted post. */
export function showsSomething({ text, files = [], poll, quote }: Pick<DraftParams, 'text' | 'files' | 'poll' | 'quote'>): boolean {
  return text.trim() !== '' || files.length > 0 || poll !== undefined || quote !== undefined;
}

export const EMPTY_POST = { path: ['text'], message: 'the post is empty: give text, files, a poll or a quote' };

/** The options of a post beside its text. */
export interface DraftOptions extends WriteOptions {
  /** A content warning. A platform without warnings shows it above the text. */
  readonly warning?: string | undefined;
  /** Whether the files are hidden until a click; by default, only with a warning. */
  readonly sensitive?: boolean | undefined;
  /** Files by path or address, each with an optional alternative text; or their content; or earlier uploads. */
  readonly files?: readonly FileChoice[] | undefined;
  /** Who can reply; everyone by default. */
  readonly filter?: PostConversationFilters | undefined;
  /** Who can quote the post; by default, the setting of the account. */
  readonly quotable?: QuoteAudience | undefined;
  /** The language of the text, for example `de`; by default, that of the account. */
  readonly language?: string | undefined;
  /** Who sees the post; by default, the setting of the account. */
  readonly visibility?: PostVisibility | undefined;
  /** The post that it replies to. */
  readonly replyTo?: Choice<Post> | undefined;
  /** The quoted post. */
  readonly quote?: Choice<Post> | undefined;
  /** A poll. */
  readonly poll?: z.input<typeof PollParam> | undefined;
  readonly place?: Choice<Place> | undefined;
  /** Whether the post is part of a thread of its author. */
  readonly batchCompose?: boolean | undefined;
  /** The community of the post. */
  readonly community?: Choice<Community> | undefined;
  /** Whether a post in a community also appears on the main timeline. */
  readonly postOnTimeline?: boolean | undefined;
}

/** The parameters of a post from the arguments of a call. */
export function draftOf(text: string, { files, replyTo, quote, place, community, ...options }: DraftOptions) {
  return {
    text,
    files: eachOf(files, fileParam),
    replyTo: idOf(replyTo, 'replyTo'),
    quote: idOf(quote, 'quote'),
    place: idOf(place, 'place'),
    community: idOf(community, 'community'),
    ...options,
  };
}
