import { hash, randomUUID } from 'node:crypto';
import { createAssistant } from '#src/assistant/assistant.ts';
import type { AssistantPlatform } from '#src/assistant/port.ts';
import type { AssistantConversation, AssistantMessage } from '#src/assistant/records.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Completion } from '#src/operation/complete.ts';
import type * as topic from '../assistant.ts';
import { composed, missing } from './support.ts';

export interface OwnAssistantOptions {
  readonly platform?: AssistantPlatform | undefined;
  readonly transcripts?: Transcripts | undefined;
  readonly clock: Clock;
}

/** What a platform says of the assistant, which none of them has for programs: it is ours. */
export const noAssistant = all(missing('`assistant` and `keep.transcripts`; `fanfare start` does where ASSISTANT_API_KEY is set'));

/** Conversations with any assistant: they are ours, and the model is told what was said before. */
export function ownAssistant({ platform, transcripts, clock }: OwnAssistantOptions): Completion<typeof topic> {
  if (!platform || !transcripts) return { operations: {}, capabilities: noAssistant };
  const { name } = platform;
  const assistant = createAssistant({ platform, transcripts, clock });

  async function requireConversation(id: string): Promise<AssistantConversation> {
    const conversation = await assistant.getConversation(id);
    if (!conversation) throw new PlatformError(`There is no conversation ${id} with the assistant.`, { platform: name, fault: 'missing' });
    return conversation;
  }

  async function answered(id: string, question: string): Promise<[AssistantMessage, AssistantConversation] | undefined> {
    const conversation = await assistant.getConversation(id);
    const message = conversation?.messages.find(({ answers }) => answers === question);
    return message && conversation && [message, conversation];
  }

  return {
    capabilities: all(composed(`Answered by the assistant ${platform.account}.`)),
    operations: {
      async createAssistantConversation(_, { key }) {
        const id = idFor(key);
        await assistant.begin(id);
        return id;
      },

      getAssistantConversation: ({ conversation }) => requireConversation(conversation),

      async getAssistantResponse({ text, conversation }, { key, signal }) {
        const question = idFor(key);
        const id = conversation ?? question;
        if (conversation === undefined) await assistant.begin(id);
        else await requireConversation(id);
        await Array.fromAsync(assistant.ask({ conversation: id, text, id: question, signal }));
        const answer = await answered(id, question);
        if (!answer) throw new PlatformError('The assistant had no answer: ask in other words.', { platform: name, fault: 'rejected' });
        return answer;
      },
    },
    recover: {
      async createAssistantConversation(_, { key }) {
        const id = idFor(key);
        return (await assistant.getConversation(id)) ? { found: id } : 'absent';
      },

      async getAssistantResponse({ conversation }, { key }) {
        const question = idFor(key);
        const found = await answered(conversation ?? question, question);
        return found ? { found } : 'absent';
      },
    },
  };
}

function all<V>(capability: V): Readonly<Record<keyof typeof topic, V>> {
  return {
    createAssistantConversation: capability,
    getAssistantConversation: capability,
    getAssistantResponse: capability,
  };
}

/** The same for every attempt at the same write. */
function idFor(key: string | undefined): string {
  return key === undefined ? randomUUID() : hash('sha256', key, 'base64url').slice(0, 22);
}
