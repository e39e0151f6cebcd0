import { z } from 'zod';
import { belonging, postText } from '#src/operation/parameters.ts';
import { paging, type CallOptions, type WriteOptions } from '#src/operation/call.ts';
import { list, pagesOf, read, write } from '#src/operation/operation.ts';
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
 * The signed-in user's conversations, the one with the latest message first.
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

/** {@link getInbox}, one page at a time. */
export const iterInbox = pagesOf(getInbox);

const GetConversation = z.strictObject({
  conversation: z.string().min(1).describe("A conversation's id, or a user's: the conversation with them."),
  maxId: z.string().optional().describe('Messages up to this one are left out.'),
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

const SendMessage = z.strictObject({
  user: z.string().min(1).describe('The recipient: a handle or an id; with inGroup, the id of a group.'),
  text: postText(),
  file: FileParam.optional().describe(
    'A path, an address, { path, altText }, { url, altText }, { base64, name, altText }, or { id } of an upload.',
  ),
  inGroup: z.boolean().default(false).describe('The recipient is a group.'),
  replyToMessage: belonging(z.string().optional().describe('The message that this one answers.')),
  audioOnly: z.boolean().default(false).describe('The file is sent as sound only.'),
  quotePost: belonging(postParam.optional().describe('A post that is shown with it.')),
});
export interface SendMessageOptions extends WriteOptions {
  readonly file?: FileChoice | undefined;
  /** The recipient is a group. */
  readonly inGroup?: boolean | undefined;
  /** The message that this one answers. */
  readonly replyToMessage?: Choice<Message> | undefined;
  /** The file is sent as sound only. */
  readonly audioOnly?: boolean | undefined;
  /** A post that is shown with it. */
  readonly quotePost?: Choice<Post> | undefined;
}

/**
 * A direct message that was sent.
 *
 * @example
 * await social.sendMessage('ada', 'Congratulations!', { quotePost: post });
 */
export const sendMessage = write('sendMessage', {
  effect: 'creates',
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
    .min(1, { error: 'needed where the message is named by its id' })
    .describe("The conversation that it stands in: its id, or a user's."),
});
export interface SendMessageReactionOptions extends WriteOptions {
  /** Needed where the message is named by its id: the conversation, or the user it is with. */
  readonly conversation?: Choice<Conversation> | User | undefined;
}

/**
 * Reacts to a direct message; a second reaction takes the place of the first.
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
