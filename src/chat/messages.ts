import { z } from 'zod';
import { belonging, eachOf } from '#src/operation/parameters.ts';
import { paging, type CallOptions, type WriteOptions } from '#src/operation/call.ts';
import { list, pagesOf, write } from '#src/operation/operation.ts';
import { ChannelMessages, Message, SentMessage } from './records.ts';
import { Files, fileParam, type FileChoice, channel, content, embed, forumPost, mention, message, hasContent } from './parameters.ts';

const Send = z
  .strictObject({
    channel,
    content,
    embed,
    files: Files,
    mention,
    ...forumPost,
    replyTo: belonging(z.string().min(1).optional().describe('The message to reply to: `channel/message`.')),
    thread: belonging(
      z.string().min(1).optional().describe('Sends the message to a thread of the channel: its name, its id or its address.'),
    ),
  })
  .refine(hasContent, 'there is nothing to send: give content, embed or files');
export interface SendOptions extends Omit<z.input<typeof Send>, 'channel' | 'files'>, WriteOptions {
  readonly files?: readonly FileChoice[] | undefined;
}

/**
 * Sends a message to a channel. In a forum, creates a post.
 *
 * @example
 * - id: card
 *   do: discord.send
 *   with: { channel: live, content: Ada is live, embed: { title: Speedrun, url: "https://twitch.tv/ada" }, mention: [Live] }
 */
export const send = write('send', {
  effect: 'creates',
  publishes: 'everyone',
  params: Send,
  returns: SentMessage,
  args: (to: string, { files, ...options }: SendOptions) => ({ channel: to, ...options, files: eachOf(files, fileParam) }),
});

const Edit = z
  .strictObject({ message: message.describe('The message to change: the `id` from `send`.'), content, embed })
  .refine(hasContent, 'there is nothing to change: give content or embed');
export interface EditOptions extends Omit<z.input<typeof Edit>, 'message'>, WriteOptions {}

/**
 * Edits a message of the bot. Omitted parts of the message and its card stay the same. An empty text removes a part. The pings at the start of
 * the text stay visible, and ping no one again.
 *
 * @example
 * - id: card
 *   do: discord.send
 *   with: { channel: live, content: Ada is live }
 * - do: discord.edit
 *   with: { message: "${{ steps.card.id }}", embed: { footer: 4.2K watching } }
 */
export const edit = write('edit', {
  effect: 'sets',
  publishes: 'everyone',
  params: Edit,
  returns: SentMessage,
  args: (to: string, options: EditOptions) => ({ message: to, ...options }),
});

const Put = z
  .strictObject({
    name: z.string().min(1).max(100).describe('The name of the standing message. Calls with the same name edit the same message.'),
    channel: channel.describe("A channel of the account's server: its name or its id. With another channel, the message moves there."),
    content,
    embed,
    tags: forumPost.tags,
  })
  .refine(hasContent, 'there is nothing to say: give content or embed');
export interface PutOptions extends Omit<z.input<typeof Put>, 'name' | 'channel'>, WriteOptions {}

/**
 * Keeps a standing message: sends it once for its name, and then edits it if its content differs. A deleted message is sent again.
 *
 * @example
 * - do: discord.put
 *   with: { name: top-five, channel: stream-news, content: "Ada, Grace, Linus" }
 */
export const put = write('put', {
  effect: 'sets',
  publishes: 'everyone',
  params: Put,
  returns: SentMessage,
  args: (name: string, to: string, options: PutOptions) => ({ name, channel: to, ...options }),
});

const Delete = z.strictObject({ message });

/**
 * Deletes a message. If the message, its thread or its channel is already deleted, nothing happens. The message of an earlier step with
 * `fit: thread` is deleted with all its parts.
 *
 * @example
 * - id: note
 *   do: discord.send
 *   with: { channel: live, content: Ada takes a break }
 * - wait: 10m
 * - do: discord.delete
 *   with: { message: "${{ steps.note.id }}" }
 */
const remove = write('delete', {
  effect: 'sets',
  removes: 'message',
  params: Delete,
  returns: SentMessage,
  args: (gone: string, options: WriteOptions = {}) => ({ message: gone, ...options }),
});
export { remove as delete };

const GetMessages = z.strictObject({ channel, ...paging });
export interface GetMessagesOptions extends Omit<z.input<typeof GetMessages>, 'channel'>, CallOptions {}

/**
 * The messages of a channel, newest first. For a forum, the first messages of its posts.
 *
 * @example
 * - id: recent
 *   do: discord.getMessages
 *   with: { channel: general }
 * - do: discord.send
 *   if: steps.recent.items.size() > 0
 *   with: { channel: general, content: "${{ string(steps.recent.items.size()) }} messages so far" }
 */
export const getMessages = list('getMessages', {
  watch: 'feed',
  params: GetMessages,
  item: Message,
  into: ChannelMessages,
  args: (from: string, options: GetMessagesOptions = {}) => ({ channel: from, ...options }),
});

/** {@link getMessages}, one page at a time. */
export const iterMessages = pagesOf(getMessages);
