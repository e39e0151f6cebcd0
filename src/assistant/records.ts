import { z } from 'zod';

const message = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  createdAt: z.date(),
});

/** One turn of a conversation. */
export interface AssistantMessage extends z.output<typeof message> {}
export const AssistantMessage: z.ZodType<AssistantMessage> = message;

const conversation = z.object({
  id: z.string(),
  provider: z.string().describe('Whose model answers, as `assistant`.'),
  model: z.string(),
  createdAt: z.date().optional().describe('When the first turn was made.'),
  updatedAt: z.date().optional().describe('When the last turn was made.'),
  messages: z.array(AssistantMessage).describe('The turns, oldest first.'),
});

/** What was said to the assistant in one place, and what it answered. */
export interface AssistantConversation extends z.output<typeof conversation> {}
export const AssistantConversation: z.ZodType<AssistantConversation> = conversation;
