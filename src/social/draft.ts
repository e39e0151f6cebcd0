import { z } from 'zod';
import { belonging, postText } from '#src/operation/parameters.ts';
import type { WriteOptions } from '#src/operation/call.ts';
import { idOf, postParam, type Choice, languageCode } from './arguments.ts';
import { PostConversationFilters, PostVisibility } from './enumerations.ts';
import { FileParam, fileParam, type FileChoice } from './files.ts';
import type { Community } from './records/discovery.ts';
import type { Place, Post } from './records/post.ts';

const PollParam = z.strictObject({
  options: z.array(z.string().min(1)).min(2).max(4).describe('The answers to choose from.'),
  durationMinutes: z.int().min(5).max(10_080).default(1440).describe('For how many minutes it is open.'),
  multiple: z.boolean().default(false).describe('Whether more than one may be chosen.'),
});

/** The parameters of a post, sent now or scheduled. */
export const draft = {
  text: postText().describe('What the post says; empty only where files say it.'),
  files: z
    .array(FileParam)
    .max(4)
    .optional()
    .describe(
      'Pictures, videos or sounds: paths, addresses, { path, altText }, { url, altText }, { base64, name, altText }, or { id } of an upload.',
    ),
  filter: z.enum(PostConversationFilters).optional().describe('Who may answer; without it, everybody.'),
  language: languageCode().optional().describe('The language of the text, as `de`; without it, the default of the account holds.'),
  visibility: z.enum(PostVisibility).optional().describe('Who sees the post; without it, the default of the account holds.'),
  replyTo: belonging(postParam.optional().describe('The post that this one answers.')),
  quote: belonging(postParam.optional().describe('The post that this one shows.')),
  poll: PollParam.optional().describe('A question: { options, durationMinutes, multiple }.'),
  place: z.string().optional().describe("A place's id."),
  batchCompose: z.boolean().default(false).describe('The post is part of a thread of its author.'),
  community: belonging(z.string().optional().describe('The community that it is posted in: its id.')),
  postOnTimeline: z.boolean().default(false).describe('In a community: on the main timeline, too.'),
};

type DraftParams = z.output<z.ZodObject<typeof draft>>;

/** Whether a post has content: a text, files, a poll or a quoted post. */
export function showsSomething({ text, files = [], poll, quote }: Pick<DraftParams, 'text' | 'files' | 'poll' | 'quote'>): boolean {
  return text.trim() !== '' || files.length > 0 || poll !== undefined || quote !== undefined;
}

export const EMPTY_POST = { path: ['text'], message: 'the post is empty: give text, files, a poll or a quote' };

/** The options of a post beside its text. */
export interface DraftOptions extends WriteOptions {
  /** Files by path or address, each with an optional alternative text; or their content; or earlier uploads. */
  readonly files?: readonly FileChoice[] | undefined;
  /** Who can reply; everyone by default. */
  readonly filter?: PostConversationFilters | undefined;
  /** The language of the text, as `de`; by default, that of the account. */
  readonly language?: string | undefined;
  /** Who sees the post; by default, as the account is set. */
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
    files: files?.map(fileParam),
    replyTo: idOf(replyTo, 'replyTo'),
    quote: idOf(quote, 'quote'),
    place: idOf(place, 'place'),
    community: idOf(community, 'community'),
    ...options,
  };
}
