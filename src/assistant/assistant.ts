import { randomUUID } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import type { AssistantPlatform } from './port.ts';
import { toPrompt } from './prompt.ts';
import type { AssistantConversation, AssistantMessage } from './records.ts';
import type { Transcripts } from './transcript.ts';
import { takingTurns } from './turns.ts';

const HISTORY_TURNS = 100;

export interface AssistantOptions {
  readonly platform: AssistantPlatform;
  readonly transcripts: Transcripts;
  readonly clock: Clock;
  /** How much of a conversation the model is reminded of. */
  readonly historyChars?: number | undefined;
}

export interface Question {
  /** Where it is asked: what was said there before belongs to it. */
  readonly conversation: string;
  readonly text: string;
  readonly signal?: AbortSignal | undefined;
}

/** Somebody to talk to, who remembers each conversation. */
export interface Assistant {
  /** The answer, piece by piece; a question that comes while another of its conversation is answered waits for it. */
  ask(question: Question): AsyncGenerator<string, void>;
  /** All that was said in a conversation. */
  getConversation(id: string): Promise<AssistantConversation>;
  forget(conversation: string): Promise<void>;
}

/** An assistant that answers through `platform` and keeps what was said in `transcripts`. */
export function createAssistant({ platform, transcripts, clock, historyChars = 24_000 }: AssistantOptions): Assistant {
  const turns = takingTurns();

  function toMessage(role: AssistantMessage['role'], text: string): AssistantMessage {
    return { id: randomUUID(), role, text, createdAt: new Date(clock.nowMs()) };
  }

  return {
    async *ask({ conversation, text, signal }) {
      using _turn = await turns.take(conversation, signal);
      const history = await transcripts.read(conversation, { limit: HISTORY_TURNS });
      const question = toMessage('user', text);
      await transcripts.append(conversation, question);

      let answer = '';
      const messages = toPrompt(history, { text, now: question.createdAt, historyChars });
      for await (const piece of platform.answer({ messages, signal })) {
        answer += piece;
        yield piece;
      }
      if (answer !== '') await transcripts.append(conversation, toMessage('assistant', answer));
    },

    async getConversation(id) {
      const messages = await transcripts.read(id);
      return {
        id,
        provider: platform.account,
        model: platform.model,
        createdAt: messages[0]?.createdAt,
        updatedAt: messages.at(-1)?.createdAt,
        messages: [...messages],
      };
    },

    forget: (conversation) => transcripts.forget(conversation),
  };
}
