import { z } from 'zod';
import { paging, type CallOptions, type WriteOptions } from '#src/operation/call.ts';
import { list, pagesOf, write } from '#src/operation/operation.ts';
import { markdownText } from '#src/operation/text.ts';
import { ChannelMessages } from './containers.ts';
import { Message, SentMessage } from './records.ts';

const channel = z.string().min(1).describe("A channel of the account's server: its name or its id.");

const embed = z
  .strictObject({
    title: markdownText().max(256).optional(),
    url: z.string().optional().describe('Where the title leads.'),
    description: markdownText().max(4096).optional(),
    image: z.string().optional().describe('The address of a large picture.'),
    thumbnail: z.string().optional().describe('The address of a small picture.'),
    footer: z.string().max(2048).optional(),
    color: z.int().min(0).max(0xffffff).optional().describe('As 0x9146ff.'),
    fields: z
      .array(z.strictObject({ name: markdownText().max(256), value: markdownText().max(1024), inline: z.boolean().optional() }))
      .max(25)
      .optional(),
  })
  .describe('A card below the text.');

const content = markdownText().max(2000).optional().describe('The text, in Markdown. What came from a platform is escaped.');

const Send = z.strictObject({
  channel,
  content,
  embed: embed.optional(),
  mention: z.array(z.string()).optional().describe('Who is pinged, and nobody else: roles by name or id, users by id, `everyone`, `here`.'),
  replyTo: z.string().optional().describe('The message that this one answers: `channel/message`.'),
});
export interface SendOptions extends Omit<z.input<typeof Send>, 'channel'>, WriteOptions {}

/** A new message in a channel. */
export const send = write('send', {
  effect: 'creates',
  params: Send,
  returns: SentMessage,
  args: (to: string, options: SendOptions) => ({ channel: to, ...options }),
});

const Edit = z.strictObject({
  message: z.string().min(1).describe('The message to change: the `id` that `send` gave.'),
  content,
  embed: embed.optional(),
});
export interface EditOptions extends Omit<z.input<typeof Edit>, 'message'>, WriteOptions {}

/** Changes a message of the bot's own: what is left out, also of its card, stays as it is, and an empty text takes a part away. */
export const edit = write('edit', {
  effect: 'sets',
  params: Edit,
  returns: SentMessage,
  args: (message: string, options: EditOptions) => ({ message, ...options }),
});

const GetMessages = z.strictObject({ channel, ...paging });
export interface GetMessagesOptions extends Omit<z.input<typeof GetMessages>, 'channel'>, CallOptions {}

/** The messages of a channel, newest first. */
export const getMessages = list('getMessages', {
  watch: 'feed',
  params: GetMessages,
  item: Message,
  into: ChannelMessages,
  args: (from: string, options: GetMessagesOptions = {}) => ({ channel: from, ...options }),
});

/** {@link getMessages}, one page at a time. */
export const iterMessages = pagesOf(getMessages);
