import { z } from 'zod';

const count = z.int().min(0);

const usedTool = z.object({
  id: z.string().describe('The id of the use.'),
  name: z.string().describe('The name of the tool.'),
  input: z.string().describe('JSON, as the model wrote it.'),
  output: z.string().describe('The stored part of the result.'),
});

/** A use of a tool for an answer. */
export interface UsedTool extends z.output<typeof usedTool> {}

const message = z.object({
  id: z.string().describe('The id of the message.'),
  role: z.enum(['user', 'assistant']).describe('The sender.'),
  text: z.string().describe('The text.'),
  createdAt: z.date().describe('The time of the message.'),
  answers: z.string().optional().describe('The id of the answered question.'),
  finishReason: z.string().optional().describe('Why the model stopped, for example `stop` or `length`.'),
  usage: z.object({ inputTokens: count, outputTokens: count }).optional().describe('The tokens, if the model reports them.'),
  remoteId: z.string().optional().describe('The id of the answer at the model.'),
  tools: z.array(usedTool).optional().describe('The tool uses for the answer.'),
});

/** One message of a conversation. */
export interface AssistantMessage extends z.output<typeof message> {}
export const AssistantMessage: z.ZodType<AssistantMessage> = message;

const conversation = z.object({
  id: z.string().describe('The id of the conversation.'),
  provider: z.string().describe('The account of the model, for example `assistant`.'),
  model: z.string().describe('The name of the model.'),
  title: z.string().optional().describe('The beginning of the first question.'),
  createdAt: z.date().describe('The time of the beginning.'),
  updatedAt: z.date().describe('The time of the last message.'),
  messages: z.array(AssistantMessage).describe('The messages, oldest first. The result of a question has the last 20.'),
});

/** A conversation with the assistant. */
export interface AssistantConversation extends z.output<typeof conversation> {}
export const AssistantConversation: z.ZodType<AssistantConversation> = conversation;

const answer = z.object({
  message: AssistantMessage.describe('The answer.'),
  conversation: AssistantConversation.describe('The conversation, including the answer.'),
});

/** An answer and its conversation. */
export interface AssistantAnswer extends z.output<typeof answer> {}
export const AssistantAnswer: z.ZodType<AssistantAnswer> = answer;
