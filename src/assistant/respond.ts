import { hash, randomUUID } from 'node:crypto';
import { PlatformError } from '#src/errors.ts';
import type { Assistant, Question } from './assistant.ts';
import type { AssistantConversation, AssistantMessage } from './records.ts';

/** The whole answer to a question, and the conversation that it stands in; `platform` is who answers, as errors name it. */
export async function respond(
  assistant: Assistant,
  question: Question & { readonly id: string },
  { platform }: { readonly platform: string },
): Promise<[AssistantMessage, AssistantConversation]> {
  await Array.fromAsync(assistant.ask(question));
  const found = await findAnswer(assistant, question);
  if (found) return found;
  throw new PlatformError('The assistant had no answer: ask in other words.', { platform, fault: 'rejected' });
}

/** What was answered to a question already. */
export async function findAnswer(
  assistant: Assistant,
  { conversation: id, id: question }: Pick<Question, 'conversation'> & { readonly id: string },
): Promise<[AssistantMessage, AssistantConversation] | undefined> {
  const conversation = await assistant.getConversation(id);
  const message = conversation?.messages.find(({ answers }) => answers === question);
  return message && conversation && [message, conversation];
}

/** An id that is the same for every attempt at the same call; without a key, one that nobody has. */
export function idFor(key: string | undefined): string {
  return key === undefined ? randomUUID() : hash('sha256', key, 'base64url').slice(0, 22);
}
