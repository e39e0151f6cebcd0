import type { AssistantMessage } from '#src/assistant/records.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';

/** Transcripts that are gone at the end of a test. */
export function memoryTranscripts(): Transcripts {
  const conversations = new Map<string, AssistantMessage[]>();
  const begun = new Map<string, Date>();
  return {
    async begin(conversation, at) {
      if (!begun.has(conversation)) begun.set(conversation, at);
    },
    async begunAt(conversation) {
      return begun.get(conversation);
    },
    async append(conversation, message) {
      const turns = conversations.get(conversation) ?? [];
      if (!turns.some(({ id }) => id === message.id)) conversations.set(conversation, [...turns, message]);
    },
    async read(conversation, { limit = Infinity } = {}) {
      return (conversations.get(conversation) ?? []).slice(-limit);
    },
    async forget(conversation) {
      conversations.delete(conversation);
      begun.delete(conversation);
    },
  };
}
