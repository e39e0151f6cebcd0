import { createAssistant } from '#src/clients/assistant/assistant.ts';
import type { AssistantPlatform } from '#src/clients/assistant/port.ts';
import type { AssistantConversation } from '#src/clients/assistant/records.ts';
import { findAnswer, idFor, respond } from '#src/clients/assistant/respond.ts';
import type { Transcripts } from '#src/clients/assistant/transcript.ts';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Fallback } from '#src/clients/operation/fallback.ts';
import type * as topic from '../assistant.ts';
import { composed, missing } from './support.ts';

export interface AssistantFallbackOptions {
  readonly platform?: AssistantPlatform | undefined;
  readonly transcripts?: Transcripts | undefined;
  readonly clock: Clock;
}

/** The capabilities without an assistant. No platform offers one for programs, so Fanfare provides it. */
export const noAssistant = all(
  missing('`assistant`, and `keep.transcripts`, for example `memoryTranscripts()`; `fanfare start` sets both if ASSISTANT_API_KEY is set'),
);

/** Creates conversations with any assistant. Fanfare stores them. */
export function assistantFallback({ platform, transcripts, clock }: AssistantFallbackOptions): Fallback<typeof topic> {
  if (!platform || !transcripts) return { operations: {}, capabilities: noAssistant };
  const { name } = platform;
  const assistant = createAssistant({ platform, transcripts, clock });

  async function requireConversation(id: string): Promise<AssistantConversation> {
    const conversation = await assistant.getConversation(id);
    if (!conversation) throw new PlatformError(`There is no conversation ${id} with the assistant.`, { platform: name, fault: 'missing' });
    return conversation;
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
        return respond(assistant, { conversation: id, text, id: question, signal }, { platform: name });
      },
    },
    recover: {
      async createAssistantConversation(_, { key }) {
        const id = idFor(key);
        return (await assistant.getConversation(id)) ? { found: id } : 'absent';
      },

      async getAssistantResponse({ conversation }, { key }) {
        const question = idFor(key);
        const found = await findAnswer(assistant, { conversation: conversation ?? question, id: question });
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
