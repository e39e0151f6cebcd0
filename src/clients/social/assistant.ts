import { z } from 'zod';
import { AssistantConversation, AssistantMessage } from '#src/clients/assistant/records.ts';
import { noParams, type CallOptions, type WriteOptions } from '#src/clients/operation/call.ts';
import { read, write } from '#src/clients/operation/operation.ts';
import { idOf, type Choice } from './arguments.ts';

const conversationParam = z.string().min(1).describe("A conversation's id.");

/**
 * Creates an empty conversation with the assistant; resolves with its id.
 *
 * @example
 * const conversation = await social.createAssistantConversation();
 */
export const createAssistantConversation = write('createAssistantConversation', {
  effect: 'creates',
  params: noParams,
  returns: z.string(),
  args: (options: WriteOptions = {}) => options,
});

/**
 * A conversation with the assistant and its messages.
 *
 * @example
 * const { messages } = await social.getAssistantConversation(conversation);
 */
export const getAssistantConversation = read('getAssistantConversation', {
  params: z.strictObject({ conversation: conversationParam }),
  returns: AssistantConversation,
  args: (conversation: Choice<AssistantConversation>, options: CallOptions = {}) => ({
    conversation: idOf(conversation, 'conversation'),
    ...options,
  }),
});

const GetAssistantResponse = z.strictObject({
  text: z.string().min(1).describe('The question.'),
  conversation: conversationParam.optional().describe('The conversation to continue; by default, a new one.'),
});
export interface GetAssistantResponseOptions extends WriteOptions {
  /** The conversation to continue; without it, a new one. */
  readonly conversation?: Choice<AssistantConversation> | undefined;
}

/**
 * Asks the assistant; resolves with the answer and its conversation.
 *
 * @example
 * const [answer, conversation] = await social.getAssistantResponse('Who is live with Chess?');
 * await social.getAssistantResponse('And who of them is new?', { conversation });
 */
export const getAssistantResponse = write('getAssistantResponse', {
  effect: 'creates',
  params: GetAssistantResponse,
  returns: z.tuple([AssistantMessage, AssistantConversation]),
  args: (text: string, { conversation, ...options }: GetAssistantResponseOptions = {}) => ({
    text,
    conversation: idOf(conversation, 'conversation'),
    ...options,
  }),
});
