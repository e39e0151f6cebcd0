import type { AssistantMessage } from './records.ts';
import type { Transcripts } from './transcript.ts';

interface Turn {
  readonly message: AssistantMessage;
  readonly after: string | undefined;
  readonly by: string | undefined;
}

/** As many as a store keeps: of each conversation so many turns, and so many conversations. */
const MOST_TURNS = 1_000;
const MOST_CONVERSATIONS = 1_000;

/** Transcripts in memory: they end with the program. */
export function memoryTranscripts(): Transcripts {
  const conversations = new Map<string, Turn[]>();
  const begun = new Map<string, Date>();
  const turnsOf = (conversation: string): readonly Turn[] => conversations.get(conversation) ?? [];

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
      const turns = turnsOf(conversation);
      if (turns.some(({ message: { id } }) => id === message.id)) return;
      // The conversation that was used last stands last.
      conversations.delete(conversation);
      conversations.set(conversation, [...turns, { message, after: after ?? turns.at(-1)?.message.id, by }].slice(-MOST_TURNS));
      dropOldest();
    },
    async read(conversation, { upTo, limit = Infinity } = {}) {
      const turns = turnsOf(conversation);
      const way: AssistantMessage[] = [];
      let turn = upTo === undefined ? turns.at(-1) : turns.find(({ message: { id } }) => id === upTo);
      while (turn && way.length < limit) {
        const { message, after } = turn;
        way.unshift(message);
        turn = turns.find(({ message: { id } }) => id === after);
      }
      return way;
    },
    async answerTo(conversation, question) {
      return turnsOf(conversation).find(({ message: { role }, after }) => role === 'assistant' && after === question)?.message;
    },
    async list({ by, prefix = '', limit }) {
      const wanted = [...conversations].filter(
        ([id, turns]) => id.startsWith(prefix) && (by === undefined || turns.some((one) => one.by === by)),
      );
      const lines = wanted.map(([id, turns]) => ({
        id,
        begins: turns.find(({ message: { role } }) => role === 'user')?.message.text,
        createdAt: begun.get(id) ?? turns[0]?.message.createdAt ?? new Date(0),
        updatedAt: turns.at(-1)?.message.createdAt ?? new Date(0),
      }));
      return lines.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime()).slice(0, limit);
    },
    async forget(conversation) {
      conversations.delete(conversation);
      begun.delete(conversation);
    },
  };
}
