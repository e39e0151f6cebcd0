import { z } from 'zod';
import { Author, Person, ref } from '#src/clients/operation/record.ts';
import { Media, count, Entity, fetchedAt } from './media.ts';

const visibility = z.literal('direct').describe('Who sees it: only the people in the conversation.');

const message = z.object({
  ...ref,
  conversationId: z.string().describe('The id of the conversation.'),
  sender: Author.describe('The sender.'),
  visibility,
  text: z.string().describe('The text.'),
  entities: z.array(Entity).describe('Links, mentions and tags in the text. Offsets count UTF-16 units.'),
  createdAt: z.date().describe('The time of creation.'),
  media: z.array(Media).describe('The files.'),
  sharedPostId: z.string().optional().describe('The id of the shared post.'),
  replyTo: z.string().optional().describe('The message that it answers.'),
  reactions: z.array(z.object({ emoji: z.string(), user: Person })).describe('The reactions.'),
});

/** One direct message. */
export interface Message extends z.output<typeof message> {}
export const Message: z.ZodType<Message> = message;

const conversation = z.object({
  ...ref,
  kind: z.enum(['direct', 'group']).describe('Between two users, or in a group.'),
  title: z.string().optional().describe('The title of the group.'),
  visibility,
  participants: z.array(Person).describe('The users in the conversation.'),
  lastMessage: Message.optional().describe('The latest message.'),
  messages: z.array(Message).optional().describe('The messages, oldest first; only from `getConversation`.'),
  unread: z.boolean().describe('Whether it has messages that the signed-in user has not read.'),
  unreadCount: count.optional().describe('The number of these messages.'),
  fetchedAt,
});

/** Direct messages between two people or in a group. */
export interface Conversation extends z.output<typeof conversation> {}
export const Conversation: z.ZodType<Conversation> = conversation;
