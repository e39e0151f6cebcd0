import { randomUUID } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { answering, type AnswerPiece } from './answering.ts';
import type { StoredDrafts } from './drafts.ts';
import type { AssistantPlatform } from './port.ts';
import { toPrompt } from './prompt.ts';
import type { AssistantConversation, AssistantMessage } from './records.ts';
import { titleOf } from './title.ts';
import type { Tool } from './tool.ts';
import { toolsWhereTaken } from './tools-where-taken.ts';
import type { ListOptions, Transcripts } from './transcript.ts';
import { takingTurns } from './turns.ts';

const HISTORY_TURNS = 100;
/** So long an answer may take, its tools included: whoever asks next waits for it. */
const MOST_MS = 5 * 60_000;

export interface AssistantOptions {
  readonly platform: AssistantPlatform;
  readonly transcripts: Transcripts;
  readonly clock: Clock;
  /** What it can have done while it answers; absent: nothing. */
  readonly tools?: readonly Tool[] | undefined;
  /** Where its tools keep drafts: they are forgotten with their conversation. */
  readonly drafts?: Pick<StoredDrafts, 'forget'> | undefined;
  /** What no answer may say. */
  readonly secrets?: readonly string[] | undefined;
  /** How much of a conversation the model is reminded of. */
  readonly historyChars?: number | undefined;
}

export interface Question {
  /** Where it is asked: what was said there before belongs to it. */
  readonly conversation: string;
  readonly text: string;
  /** The id of its turn: asked again with the same one, it gets the answer that it got, or is asked anew where it got none. */
  readonly id?: string | undefined;
  /** The turn from which the conversation goes on; absent: the last one. */
  readonly after?: string | undefined;
  /** Who asks, as lists of conversations and drafts name them. */
  readonly by?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a list of conversations shows of one. */
type ConversationHead = Pick<AssistantConversation, 'id' | 'title' | 'createdAt' | 'updatedAt'>;

/** Somebody to talk to, who remembers each conversation. */
export interface Assistant {
  /** Begins a conversation in which nothing is said yet; a question begins its own by itself. */
  begin(conversation: string): Promise<void>;
  /** The answer, piece by piece; a question that comes while another of its conversation is answered waits for it. */
  ask(question: Question): AsyncGenerator<AnswerPiece, void>;
  /** What was said in a conversation, up to one of its turns or to the last; undefined where there is none. */
  getConversation(id: string, options?: { readonly upTo?: string | undefined }): Promise<AssistantConversation | undefined>;
  /** Conversations in which something was said, those used last first. */
  list(options: ListOptions): Promise<readonly ConversationHead[]>;
  /** Drops a conversation, and what was drafted in it, once the answers are over that were asked for there. */
  forget(conversation: string): Promise<void>;
}

/** An assistant that answers through `platform` and keeps what was said in `transcripts`. */
export function createAssistant(options: AssistantOptions): Assistant {
  const { transcripts, drafts, clock, tools = [], secrets = [], historyChars = 24_000 } = options;
  const platform = tools.length > 0 ? toolsWhereTaken(options.platform) : options.platform;
  const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
  const turns = takingTurns();
  const now = (): Date => new Date(clock.nowMs());

  return {
    begin: (conversation) => transcripts.begin(conversation, now()),

    async *ask({ conversation, text, id = randomUUID(), after, by, signal: given }) {
      // Whoever stops listening ends what is still at work.
      const leaving = new AbortController();
      const signal = given ? AbortSignal.any([given, leaving.signal]) : leaving.signal;
      using _turn = await turns.take(conversation, signal);
      const endLate = (): void => leaving.abort(tooLate(platform));
      clock.sleep(MOST_MS, leaving.signal).then(endLate, () => undefined);
      try {
        const earlier = await transcripts.answerTo(conversation, id);
        if (earlier) {
          if (earlier.text !== '') yield earlier.text;
          yield { turn: earlier.id };
          return;
        }
        const said = await transcripts.read(conversation, { upTo: after, limit: HISTORY_TURNS });
        const history = said.filter((turn) => turn.id !== id);
        const question: AssistantMessage = { id, role: 'user', text, createdAt: now() };
        await transcripts.append(conversation, question, { after, by });

        const messages = toPrompt(history, { text, now: question.createdAt, historyChars, hasTools: tools.length > 0 });
        const context = { conversation, question: id, by };
        const answer = yield* answering({ platform, messages, tools: toolsByName, secrets, context, clock, signal });
        if (answer.text === '' && answer.tools.length === 0) return;
        const turn: AssistantMessage = {
          id: randomUUID(),
          role: 'assistant',
          text: answer.text,
          createdAt: now(),
          answers: id,
          ...answer.note,
          ...(answer.tools.length > 0 && { tools: [...answer.tools] }),
        };
        await transcripts.append(conversation, turn, { after: id });
        yield { turn: turn.id };
      } finally {
        leaving.abort();
      }
    },

    async getConversation(id, { upTo } = {}) {
      const [begunAt, messages] = await Promise.all([transcripts.begunAt(id), transcripts.read(id, { upTo })]);
      const createdAt = begunAt ?? messages[0]?.createdAt;
      if (!createdAt) return undefined;
      return {
        id,
        provider: platform.account,
        model: platform.model,
        title: titleOf(messages.find(({ role }) => role === 'user')?.text),
        createdAt,
        updatedAt: messages.at(-1)?.createdAt ?? createdAt,
        messages: [...messages],
      };
    },

    async list(wanted) {
      const lines = await transcripts.list(wanted);
      return lines.map(({ begins, ...line }) => ({ ...line, title: titleOf(begins) }));
    },

    async forget(conversation) {
      using _turn = await turns.take(conversation);
      await transcripts.forget(conversation);
      await drafts?.forget(conversation);
    },
  };
}

function tooLate({ name }: AssistantPlatform): PlatformError {
  return new PlatformError(`${name}: the answer took longer than ${MOST_MS / 60_000} minutes: ask again, or in other words.`, {
    platform: name,
    fault: 'unanswered',
  });
}
