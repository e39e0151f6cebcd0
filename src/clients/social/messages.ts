import { z } from 'zod';
import { belonging, postText } from '#src/clients/operation/parameters.ts';
import { paging, type CallOptions, type WriteOptions } from '#src/clients/operation/call.ts';
import { list, read, write } from '#src/clients/operation/operation.ts';
import { idOf, postParam, userParam, type Choice } from './arguments.ts';
import { Inbox } from './containers.ts';
import { FileParam, fileParam, type FileChoice } from './files.ts';
import { Conversation, Message } from './records/message.ts';
import type { Post } from './records/post.ts';
import type { User } from './records/user.ts';

const GetInbox = z.strictObject({ user: userParam.optional().describe('Only the conversation with this user.'), ...paging });
export interface GetInboxOptions extends Omit<z.input<typeof GetInbox>, 'user'>, CallOptions {
  /** Only the conversation with this user. */
  readonly user?: Choice<User> | undefined;
}

/**
 * The conversations of the signed-in user, by their latest message, newest first.
 *
 * @example
 * const unread = (await social.getInbox()).items.filter((conversation) => conversation.unread);
 */
export const getInbox = list('getInbox', {
  watch: 'set',
  params: GetInbox,
  item: Conversation,
  into: Inbox,
  args: ({ user, ...options }: GetInboxOptions = {}) => ({ user: idOf(user, 'user'), ...options }),
});

const GetConversation = z.strictObject({
  conversation: z.string().min(1).describe("A conversation's id, or a user's: the conversation with them."),
  maxId: z.string().optional().describe('Only messages after this one.'),
});
export interface GetConversationOptions extends Omit<z.input<typeof GetConversation>, 'conversation'>, CallOptions {}

/**
 * One conversation with its messages.
 *
 * @example
 * const { messages } = await social.getConversation(conversation);
 */
export const getConversation = read('getConversation', {
  params: GetConversation,
  returns: Conversation,
  args: (conversation: Choice<Conversation> | User, options: GetConversationOptions = {}) => ({
    conversation: idOf(conversation, 'conversation'),
    ...options,
  }),
});

const SendMessage = z
  .strictObject({
    user: z.string().min(1).describe('The recipient: a handle or an id; with inGroup, the id of a group.'),
    text: postText(),
    file: FileParam.optional().describe(
      'A path, an address, { path, altText }, { url, altText }, { base64, name, altText }, or { id } of an upload.',
    ),
    inGroup: z.boolean().default(false).describe('Whether the recipient is a group.'),
    replyToMessage: belonging(z.string().optional().describe('The message to reply to.')),
    audioOnly: z.boolean().default(false).describe('Whether to send the file as a voice message.'),
    quotePost: belonging(postParam.optional().describe('A post to share in the message.')),
  })
  .refine(({ text, file, quotePost }) => text.trim() !== '' || file !== undefined || quotePost !== undefined, {
    path: ['text'],
    message: 'the message is empty: give text, file or quotePost',
  });
export interface SendMessageOptions extends WriteOptions {
  readonly file?: FileChoice | undefined;
  /** Whether the recipient is a group. */
  readonly inGroup?: boolean | undefined;
  /** The message to reply to. */
  readonly replyToMessage?: Choice<Message> | undefined;
  /** Whether to send the file as a voice message. */
  readonly audioOnly?: boolean | undefined;
  /** A post to share in the message. */
  readonly quotePost?: Choice<Post> | undefined;
}

/**
 * Sends a direct message.
 *
 * @example
 * await social.sendMessage('ada', 'Congratulations!', { quotePost: post });
 */
export const sendMessage = write('sendMessage', {
  effect: 'creates',
  publishes: 'message',
  params: SendMessage,
  returns: Message,
  args: (user: Choice<User>, text: string, { file, replyToMessage, quotePost, ...options }: SendMessageOptions = {}) => ({
    user: idOf(user, 'user'),
    text,
    file: file && fileParam(file),
    replyToMessage: idOf(replyToMessage, 'replyToMessage'),
    quotePost: idOf(quotePost, 'quotePost'),
    ...options,
  }),
});

const SendMessageReaction = z.strictObject({
  reactionEmoji: z.emoji().describe('One emoji.'),
  message: z.string().min(1).describe("A message's id."),
  conversation: z
    .string()
    .min(1, { error: 'required if the message is named by its id' })
    .describe('The conversation of the message: its id, or the id of a user.'),
});
export interface SendMessageReactionOptions extends WriteOptions {
  /** Required if `message` is an id: the conversation, or its other user. */
  readonly conversation?: Choice<Conversation> | User | undefined;
}

/**
 * Reacts to a direct message. A second reaction replaces the first.
 *
 * @example
 * await social.sendMessageReaction('🎉', message);
 */
export const sendMessageReaction = write('sendMessageReaction', {
  effect: 'sets',
  params: SendMessageReaction,
  returns: z.boolean(),
  args: (reactionEmoji: string, message: Choice<Message>, { conversation, ...options }: SendMessageReactionOptions = {}) => ({
    reactionEmoji,
    message: idOf(message, 'message'),
    conversation: idOf(conversation, 'conversation') ?? (typeof message === 'object' ? message.conversationId : ''),
    ...options,
  }),
});
