import type { AssistantMessage } from './records.ts';
import type { Transcripts } from './transcript.ts';

interface Entry {
  readonly message: AssistantMessage;
  readonly after: string | undefined;
  readonly by: string | undefined;
}

/** The same limits as the store: messages per conversation, and conversations. */
const MAX_MESSAGES = 1_000;
const MOST_CONVERSATIONS = 1_000;

/** Creates transcripts in memory. */
export function memoryTranscripts(): Transcripts {
  const conversations = new Map<string, Entry[]>();
  const begun = new Map<string, Date>();
  const entriesOf = (conversation: string): readonly Entry[] => conversations.get(conversation) ?? [];

  function dropOldest(): void {
    for (const kept of [conversations, begun]) for (const oldest of [...kept.keys()].slice(0, -MOST_CONVERSATIONS)) kept.delete(oldest);
  }

  return {
    async begin(conversation, at) {
      if (!begun.has(conversation)) begun.set(conversation, at);
      dropOldest();
    },
    async begunAt(conversation) {
      return begun.get(conversation);
    },
    async append(conversation, message, { after, by } = {}) {
      const entries = entriesOf(conversation);
      if (entries.some(({ message: { id } }) => id === message.id)) return;
      // The last used conversation is the last key.
      conversations.delete(conversation);
      conversations.set(conversation, [...entries, { message, after: after ?? entries.at(-1)?.message.id, by }].slice(-MAX_MESSAGES));
      dropOldest();
    },
    async read(conversation, { upTo, limit = Infinity } = {}) {
      const entries = entriesOf(conversation);
      const way: AssistantMessage[] = [];
      let entry = upTo === undefined ? entries.at(-1) : entries.find(({ message: { id } }) => id === upTo);
      while (entry && way.length < limit) {
        const { message, after } = entry;
        way.unshift(message);
        entry = entries.find(({ message: { id } }) => id === after);
      }
      return way;
    },
    async answerTo(conversation, question) {
      return entriesOf(conversation).find(({ message: { role }, after }) => role === 'assistant' && after === question)?.message;
    },
    async list({ by, prefix = '', limit }) {
      const wanted = [...conversations].filter(
        ([id, entries]) => id.startsWith(prefix) && (by === undefined || entries.some((one) => one.by === by)),
      );
      const lines = wanted.map(([id, entries]) => ({
        id,
        begins: entries.find(({ message: { role } }) => role === 'user')?.message.text,
        createdAt: begun.get(id) ?? entries[0]?.message.createdAt ?? new Date(0),
        updatedAt: entries.at(-1)?.message.createdAt ?? new Date(0),
      }));
      return lines.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime()).slice(0, limit);
    },
    async forget(conversation) {
      conversations.delete(conversation);
      begun.delete(conversation);
    },
  };
}
