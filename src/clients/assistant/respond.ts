import { hash, randomUUID } from 'node:crypto';
import { PlatformError } from '#src/errors.ts';
import { type Assistant, type Question, createAssistant, type AssistantOptions } from './assistant.ts';
import type { AssistantConversation, AssistantMessage } from './records.ts';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { capabilities, type ConversationPlatform } from './conversations.ts';

/** Asks a question and resolves with the answer and its conversation; `platform` is the name in errors. */
export async function respond(
  assistant: Assistant,
  question: Question & { readonly id: string },
  { platform }: { readonly platform: string },
): Promise<[AssistantMessage, AssistantConversation]> {
  const pieces = await Array.fromAsync(assistant.ask(question));
  // Another process may have asked in the conversation at the same time, so the answer is not always in its last branch.
  const upTo = pieces.flatMap((piece) => (typeof piece === 'object' && 'answerId' in piece ? piece.answerId : [])).at(-1);
  const found = await findAnswer(assistant, question, { upTo });
  if (found) return found;
  throw new PlatformError('The assistant returned no answer: rephrase the question.', { platform, fault: 'rejected' });
}

/** The result of a question has so many messages: rules store it with each answer, and conversations of rules never end. */
const MOST_RETURNED = 20;

/** The stored answer to a question. */
export async function findAnswer(
  assistant: Assistant,
  { conversation: id, id: question }: Pick<Question, 'conversation'> & { readonly id: string },
  options?: { readonly upTo?: string | undefined },
): Promise<[AssistantMessage, AssistantConversation] | undefined> {
  const conversation = await assistant.getConversation(id, options);
  const message = conversation?.messages.find(({ answers }) => answers === question);
  return message && conversation && [message, { ...conversation, messages: conversation.messages.slice(-MOST_RETURNED) }];
}

/** An id that is the same for every attempt at a call; a random one without a key. */
export function idFor(key: string | undefined): string {
  return key === undefined ? randomUUID() : hash('sha256', key, 'base64url').slice(0, 22);
}

/** Creates the platform of an assistant for rules. Conversations are stored, and a repeated step gets the same answer. */
export function createConversationPlatform(options: AssistantOptions): ConversationPlatform {
  const { name, account } = options.platform;
  const assistant = createAssistant(options);
  return {
    name,
    account,
    capabilities,
    operations: {
      async ask({ text, conversation }, { key, signal }: WriteOptions) {
        const id = idFor(key);
        const [message, answered] = await respond(assistant, { conversation: conversation ?? id, text, id, signal }, { platform: name });
        return { message, conversation: answered };
      },
    },
  };
}
