import { z } from 'zod';
import { belonging, eachOf, webAddress } from '#src/clients/operation/parameters.ts';
import { paging, type CallOptions, type WriteOptions } from '#src/clients/operation/call.ts';
import { list, write } from '#src/clients/operation/operation.ts';
import { ChannelMessages, Message, SentMessage } from './records.ts';
import { buttons } from './buttons.ts';
import { layout } from './layout.ts';
import {
  areCompatible,
  Files,
  fileParam,
  type FileChoice,
  channel,
  content,
  embed,
  embeds,
  forumPost,
  INCOMPATIBLE,
  mention,
  message,
  hasContent,
  namesPart,
  NO_NAME,
} from './parameters.ts';

const parts = { content, embed, embeds, layout, buttons };

const sender = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(80)
      .describe('The name. Discord refuses the words “discord” and “clyde”, so Fanfare puts a dot into them: “Dis·cord”.'),
    avatar: webAddress().optional().describe('The address of the picture.'),
  })
  .optional()
  .describe('Sends the message under another name and picture, by a webhook of the channel. It cannot be a reply.');

const Send = z
  .strictObject({
    channel: belonging(channel.optional()),
    user: belonging(
      z
        .string()
        .min(1)
        .optional()
        .describe(
          `A member of the account's server, instead of a channel: an id, a handle, or a unique name. ${NO_NAME} The message is direct.`,
        ),
    ),
    sender,
    ...parts,
    files: Files,
    mention,
    ...forumPost,
    replyTo: belonging(z.string().min(1).optional().describe('The message to reply to: `channel/message`.')),
    thread: belonging(
      z.string().min(1).optional().describe('Sends the message to a thread of the channel: its name, its id or its address.'),
    ),
  })
  .refine(hasContent, 'there is nothing to send: give content, embed, embeds, layout or files')
  .refine(areCompatible, INCOMPATIBLE)
  .refine(({ channel: to, user }) => (to === undefined) !== (user === undefined), 'give either channel or user')
  .refine(
    ({ user, sender: other, replyTo }) => other === undefined || (user === undefined && replyTo === undefined),
    'sender is neither for direct messages nor for replies',
  );
export interface SendOptions extends Omit<z.input<typeof Send>, 'channel' | 'user' | 'files'>, WriteOptions {
  readonly files?: readonly FileChoice[] | undefined;
}

/**
 * Sends a message to a channel or to a member. In a forum, creates a post.
 *
 * @example
 * - id: card
 *   do: discord.send
 *   with: { channel: live, content: Ada is live, embed: { title: Speedrun, url: "https://twitch.tv/ada" }, mention: [Live] }
 * - do: discord.send
 *   with:
 *     channel: general
 *     content: Get a ping for each stream
 *     buttons: [{ label: Watch, url: "https://twitch.tv/ada" }, { label: Ping me, role: Live }]
 * - do: discord.send
 *   with:
 *     channel: valorant
 *     layout: { color: 0x9146ff, blocks: [{ text: "## Ada is live" }, { separator: line }, { text: Speedrun }] }
 * - do: discord.send
 *   with: { channel: puzzles, content: Ada is live, sender: { name: Ada Alerts } }
 * - do: discord.send
 *   with: { user: ada, content: You are live }
 */
export const send = write('send', {
  effect: 'creates',
  publishes: 'everyone',
  params: Send,
  returns: SentMessage,
  args: (to: string | { readonly user: string }, { files, ...options }: SendOptions) => ({
    ...(typeof to === 'string' ? { channel: to } : { user: to.user }),
    ...options,
    files: eachOf(files, fileParam),
  }),
});

const Edit = z
  .strictObject({ message: message.describe('The message to change: the `id` from `send`.'), ...parts })
  .refine(namesPart, 'there is nothing to change: give content, embed, embeds, layout or buttons')
  .refine(areCompatible, INCOMPATIBLE);
export interface EditOptions extends Omit<z.input<typeof Edit>, 'message'>, WriteOptions {}

/**
 * Edits a message of the bot. Omitted parts of the message and its card stay the same. An empty text removes a part. `embed` changes the first
 * card, and `embeds` replaces all cards; `buttons` replaces all buttons. The pings of the message stay visible, and ping no one again: the
 * text leaves room for them.
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
  edits: 'message',
  params: Edit,
  returns: SentMessage,
  args: (to: string, options: EditOptions) => ({ message: to, ...options }),
});

const Put = z
  .strictObject({
    name: z.string().min(1).max(100).describe('The name of the standing message. Calls with the same name edit the same message.'),
    channel: channel.describe("A channel of the account's server: its name or its id. With another channel, the message moves there."),
    ...parts,
    last: z
      .boolean()
      .optional()
      .describe('Whether the message stays at the bottom: when it changes and other messages are below it, it is deleted and sent again.'),
    tags: forumPost.tags,
  })
  .refine(hasContent, 'there is nothing to say: give content, embed, embeds or layout')
  .refine(areCompatible, INCOMPATIBLE);
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
 * The messages of a channel, newest first, without those that Discord writes, for example when a member joins. For a forum, the first messages
 * of its posts.
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
