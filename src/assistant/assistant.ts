import { randomUUID } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import type { AnswerNote, AssistantPlatform } from './port.ts';
import { toPrompt } from './prompt.ts';
import type { AssistantConversation, AssistantMessage } from './records.ts';
import type { Transcripts } from './transcript.ts';
import { takingTurns } from './turns.ts';

const HISTORY_TURNS = 100;
const TITLE_CHARS = 60;

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
  /** The id of its turn: asked again with the same one, it gets the answer that it got, or is asked anew where it got none. */
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Somebody to talk to, who remembers each conversation. */
export interface Assistant {
  /** Begins a conversation in which nothing is said yet; a question begins its own by itself. */
  begin(conversation: string): Promise<void>;
  /** The answer, piece by piece; a question that comes while another of its conversation is answered waits for it. */
  ask(question: Question): AsyncGenerator<string, void>;
  /** All that was said in a conversation; undefined where there is none. */
  getConversation(id: string): Promise<AssistantConversation | undefined>;
  forget(conversation: string): Promise<void>;
}

/** An assistant that answers through `platform` and keeps what was said in `transcripts`. */
export function createAssistant({ platform, transcripts, clock, historyChars = 24_000 }: AssistantOptions): Assistant {
  const turns = takingTurns();
  const now = (): Date => new Date(clock.nowMs());

  return {
    begin: (conversation) => transcripts.begin(conversation, now()),

    async *ask({ conversation, text, id = randomUUID(), signal }) {
      using _turn = await turns.take(conversation, signal);
      const said = await transcripts.read(conversation, { limit: HISTORY_TURNS });
      const earlier = said.find(({ answers }) => answers === id);
      if (earlier) {
        yield earlier.text;
        return;
      }
      const history = said.filter((turn) => turn.id !== id);
      const question: AssistantMessage = { id, role: 'user', text, createdAt: now() };
      await transcripts.append(conversation, question);

      let answer = '';
      let note: AnswerNote = {};
      const messages = toPrompt(history, { text, now: question.createdAt, historyChars });
      for await (const piece of platform.answer({ messages, signal })) {
        if (typeof piece === 'string') {
          answer += piece;
          yield piece;
        } else note = piece;
      }
      if (answer === '') return;
      await transcripts.append(conversation, { id: randomUUID(), role: 'assistant', text: answer, createdAt: now(), answers: id, ...note });
    },

    async getConversation(id) {
      const [begunAt, messages] = await Promise.all([transcripts.begunAt(id), transcripts.read(id)]);
      const createdAt = begunAt ?? messages[0]?.createdAt;
      if (!createdAt) return undefined;
      return {
        id,
        provider: platform.account,
        model: platform.model,
        title: titleOf(messages),
        createdAt,
        updatedAt: messages.at(-1)?.createdAt ?? createdAt,
        messages: [...messages],
      };
    },

    forget: (conversation) => transcripts.forget(conversation),
  };
}

/** The first line of the first question, as far as it fits. */
function titleOf(messages: readonly AssistantMessage[]): string | undefined {
  const [line = ''] =
    messages
      .find(({ role }) => role === 'user')
      ?.text.trim()
      .split('\n') ?? [];
  if (line === '') return undefined;
  const characters = Array.from(line);
  return characters.length > TITLE_CHARS ? `${characters.slice(0, TITLE_CHARS - 1).join('')}…` : line;
}
