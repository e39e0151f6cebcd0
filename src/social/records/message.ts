import { z } from 'zod';
import { Person, ref } from '#src/operation/record.ts';
import { Media, count, Entity, fetchedAt } from './media.ts';

const message = z.object({
  ...ref,
  conversationId: z.string(),
  sender: Person,
  text: z.string(),
  entities: z.array(Entity),
  createdAt: z.date(),
  media: z.array(Media),
  sharedPostId: z.string().optional(),
  replyTo: z.string().optional().describe('The message that it answers.'),
  reactions: z.array(z.object({ emoji: z.string(), user: Person })),
});

/** One direct message. */
export interface Message extends z.output<typeof message> {}
export const Message: z.ZodType<Message> = message;

const conversation = z.object({
  ...ref,
  kind: z.enum(['direct', 'group']),
  title: z.string().optional(),
  participants: z.array(Person),
  lastMessage: Message.optional(),
  messages: z.array(Message).optional().describe('The messages, oldest first; only from `getConversation`.'),
  unread: z.boolean(),
  unreadCount: count.optional(),
  fetchedAt,
});

/** Direct messages between two people or in a group. */
export interface Conversation extends z.output<typeof conversation> {}
export const Conversation: z.ZodType<Conversation> = conversation;
