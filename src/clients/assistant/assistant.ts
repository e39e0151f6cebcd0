import { randomUUID } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { cutLabel } from '#src/clients/operation/text/characters.ts';
import { answering, type AnswerPiece } from './answering.ts';
import type { StoredDrafts } from './drafts.ts';
import type { AssistantPlatform } from './port.ts';
import { toPrompt } from './prompt.ts';
import type { AssistantConversation, AssistantMessage } from './records.ts';
import { type Tool, withToolsFallback } from './tools.ts';
import type { ListOptions, Transcripts } from './transcript.ts';
import { createKeyedQueue } from '#src/clients/keyed-queue.ts';

const HISTORY_MESSAGES = 100;
/** The longest time for an answer, including its tools. The next question waits for it. */
const MOST_MS = 5 * 60_000;

export interface AssistantOptions {
  readonly platform: AssistantPlatform;
  readonly transcripts: Transcripts;
  readonly clock: Clock;
  /** The tools that the model can use; absent if it has none. */
  readonly tools?: readonly Tool[] | undefined;
  /** The drafts of its tools, which are deleted with their conversation. */
  readonly drafts?: Pick<StoredDrafts, 'forget'> | undefined;
  /** Phrases that no answer may contain. */
  readonly secrets?: readonly string[] | undefined;
  /** The length of the history in a prompt, in characters. */
  readonly historyChars?: number | undefined;
}

export interface Question {
  /** The conversation to which the question belongs. */
  readonly conversation: string;
  readonly text: string;
  /** The id of the question. A repeat with the same id gets the stored answer, or a new one if there is none. */
  readonly id?: string | undefined;
  /** The message from which the conversation continues; absent for the last one. */
  readonly after?: string | undefined;
  /** The author, as lists of conversations and drafts name them. */
  readonly by?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A conversation in a list. */
type ConversationHead = Pick<AssistantConversation, 'id' | 'title' | 'createdAt' | 'updatedAt'>;

/** An assistant that remembers each conversation. */
export interface Assistant {
  /** Begins an empty conversation. A question also begins its conversation. */
  begin(conversation: string): Promise<void>;
  /** Yields the answer piece by piece. Questions in the same conversation wait for each other. */
  ask(question: Question): AsyncGenerator<AnswerPiece, void>;
  /** A conversation up to one of its messages; undefined if it does not exist. */
  getConversation(id: string, options?: { readonly upTo?: string | undefined }): Promise<AssistantConversation | undefined>;
  /** The conversations with messages, last used first. */
  list(options: ListOptions): Promise<readonly ConversationHead[]>;
  /** Deletes a conversation and its drafts after the answers in progress. */
  forget(conversation: string): Promise<void>;
}

/** Creates an assistant that answers through `platform` and stores conversations in `transcripts`. */
export function createAssistant(options: AssistantOptions): Assistant {
  const { transcripts, drafts, clock, tools = [], secrets = [], historyChars = 24_000 } = options;
  const platform = tools.length > 0 ? withToolsFallback(options.platform) : options.platform;
  const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
  const queue = createKeyedQueue();
  const now = (): Date => new Date(clock.nowMs());

  return {
    begin: (conversation) => transcripts.begin(conversation, now()),

    async *ask({ conversation, text, id = randomUUID(), after, by, signal: callerSignal }) {
      // A caller that stops reading ends the work in progress.
      const leaving = new AbortController();
      const signal = callerSignal ? AbortSignal.any([callerSignal, leaving.signal]) : leaving.signal;
      using _lock = await queue.acquire(conversation, signal);
      const endLate = (): void => leaving.abort(tooLate(platform));
      clock.sleep(MOST_MS, leaving.signal).then(endLate, () => undefined);
      try {
        const earlier = await transcripts.answerTo(conversation, id);
        if (earlier) {
          if (earlier.text !== '') yield earlier.text;
          yield { answerId: earlier.id };
          return;
        }
        const stored = await transcripts.read(conversation, { upTo: after, limit: HISTORY_MESSAGES });
        const history = stored.filter((answerMessage) => answerMessage.id !== id);
        const question: AssistantMessage = { id, role: 'user', text, createdAt: now() };
        await transcripts.append(conversation, question, { after, by });

        const messages = toPrompt(history, { text, now: question.createdAt, historyChars, hasTools: tools.length > 0 });
        const context = { conversation, question: id, by };
        const answer = yield* answering({ platform, messages, tools: toolsByName, secrets, context, clock, signal });
        if (answer.text === '' && answer.tools.length === 0) return;
        const answerMessage: AssistantMessage = {
          id: randomUUID(),
          role: 'assistant',
          text: answer.text,
          createdAt: now(),
          answers: id,
          ...answer.note,
          ...(answer.tools.length > 0 && { tools: [...answer.tools] }),
        };
        await transcripts.append(conversation, answerMessage, { after: id });
        yield { answerId: answerMessage.id };
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
      using _lock = await queue.acquire(conversation);
      await transcripts.forget(conversation);
      await drafts?.forget(conversation);
    },
  };
}

function tooLate({ name }: AssistantPlatform): PlatformError {
  return new PlatformError(`${name}: the answer took longer than ${MOST_MS / 60_000} minutes: ask again, or rephrase the question.`, {
    platform: name,
    fault: 'unanswered',
  });
}

const MOST_CHARS = 60;

/** The first line of a conversation's first question, shortened. */
function titleOf(question: string | undefined): string | undefined {
  const [line = ''] = question?.trim().split('\n') ?? [];
  return line === '' ? undefined : cutLabel(line, MOST_CHARS);
}
