import { z } from 'zod';

const count = z.int().min(0);

const usedTool = z.object({
  id: z.string(),
  name: z.string(),
  input: z.string().describe('JSON, as the model wrote it.'),
  output: z.string().describe('What it gave, as far as it is kept.'),
});

/** A use of a tool for an answer. */
export interface UsedTool extends z.output<typeof usedTool> {}

const message = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  createdAt: z.date(),
  answers: z.string().optional().describe('The id of the question that it answers.'),
  finishReason: z.string().optional().describe('Why the model stopped, in its own word: `stop`, `length`.'),
  usage: z.object({ inputTokens: count, outputTokens: count }).optional().describe('What it cost, where the model says so.'),
  remoteId: z.string().optional().describe("The model's own id of the answer."),
  tools: z.array(usedTool).optional().describe('What was looked up for it.'),
});

/** One message of a conversation. */
export interface AssistantMessage extends z.output<typeof message> {}
export const AssistantMessage: z.ZodType<AssistantMessage> = message;

const conversation = z.object({
  id: z.string(),
  provider: z.string().describe('Whose model answers, as `assistant`.'),
  model: z.string(),
  title: z.string().optional().describe('How the first question begins.'),
  createdAt: z.date().describe('When it was begun.'),
  updatedAt: z.date().describe('When the last turn was made.'),
  messages: z.array(AssistantMessage).describe('The turns, oldest first.'),
});

/** A conversation with the assistant. */
export interface AssistantConversation extends z.output<typeof conversation> {}
export const AssistantConversation: z.ZodType<AssistantConversation> = conversation;

const answer = z.object({
  message: AssistantMessage.describe('The answer.'),
  conversation: AssistantConversation.describe('The conversation, the answer included.'),
});

/** An answer and its conversation. */
export interface AssistantAnswer extends z.output<typeof answer> {}
export const AssistantAnswer: z.ZodType<AssistantAnswer> = answer;
