import type { Assistant } from '#src/clients/assistant/assistant.ts';
import type { AnswerPiece } from '#src/clients/assistant/answering.ts';
import type { ConversationPoint, ConversationPoints, OpenAnswer, OpenAnswers } from '#src/clients/assistant/conversation-state.ts';
import type { AssistantMessage } from '#src/clients/assistant/records.ts';
import { PlatformError, UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { createKeyedQueue } from '#src/clients/keyed-queue.ts';
import type { Caller } from '#src/discord/caller.ts';
import { explain, isExplained, reasonOf } from '#src/discord/explain-error.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { type AnswerMessage, type AnswerTarget, TOKEN_LIFE_MS } from './answer-target.ts';
import type { DraftButtons } from './draft-buttons.ts';
import { isThreadKey, newConversationId } from './location.ts';
import { activeQuestions, ConversationForgotten } from './question-queue.ts';
import { countQuestion, type QuotaOptions } from './quota.ts';
import { streamAnswer, type StreamedAnswer } from './stream-answer.ts';

const MAX_TOKENS_PER_CONVERSATION = 200_000;
/** The estimate for models that do not report their usage. */
const CHARS_PER_TOKEN = 4;

export interface ResponderOptions extends QuotaOptions {
  readonly assistant: Assistant;
  readonly points: ConversationPoints;
  readonly open: OpenAnswers;
  /** Shows drafts below the answer. */
  readonly draftButtons?: Pick<DraftButtons, 'card'> | undefined;
  /** The id of this process; absent if there is only one. */
  readonly process?: string | undefined;
  readonly log: Log;
  /** Aborted when the bot goes offline. */
  readonly signal: AbortSignal;
}

interface Question {
  /** The id of the interaction or the message. */
  readonly id: string;
  readonly text: string;
  readonly caller: Caller;
  readonly channel: string;
  /** The token of a command; absent for a message. */
  readonly token?: string | undefined;
  readonly target: AnswerTarget;
  /** Whether only the user sees the answer. */
  readonly isPrivate: boolean;
  /** The answer that the question continues; undefined for a new conversation. Read again after earlier questions are answered. */
  readonly from: () => Promise<ConversationPoint | undefined>;
  /** The key of the location that continues from the answer. */
  readonly location: string;
  /** Whether the question starts a new conversation in its location. */
  readonly isNew?: boolean | undefined;
  /** The components below the complete answer. */
  readonly rows: () => AnswerMessage['rows'];
  /** Called when the first message of the answer is there. */
  readonly onStart?: (() => void) | undefined;
}

/** A question in progress. */
interface AskedQuestion extends Question {
  readonly waiting: OpenAnswer;
  /** Called as soon as the answer costs something. */
  readonly onCost: () => void;
}

/** Answers questions in Discord. */
export interface Responder {
  /** Answers after the earlier questions of the conversation. Rejects only if nothing was written, with an error for the user. */
  answer(question: Question): Promise<StreamedAnswer>;
  /** Ends the answers of a conversation and deletes it. No part of the conversation is stored after that. */
  forget(conversation: string): Promise<void>;
}

interface JoinedConversation extends Disposable {
  readonly conversation: string;
  /** The conversation of the location when the question arrived. The answer does not replace a later one. */
  readonly before: string | undefined;
  /** Aborted when the conversation is forgotten. */
  readonly forgotten: AbortSignal;
}

/** Asks the assistant, shows the answers, and stores which message holds which answer. */
export function createResponder(options: ResponderOptions): Responder {
  const { assistant, points, open, counts, clock, log, signal } = options;
  const queue = createKeyedQueue();

  async function enqueue<T>(key: string, task: () => Promise<T>): Promise<T> {
    using _turn = await queue.acquire(key);
    return await task();
  }
  const active = activeQuestions();

  /** Finds or starts the conversation of a question. Of two first questions in a location, the second continues the first. */
  function join({ id, from, location, isNew, caller, channel }: Question): Promise<JoinedConversation> {
    return enqueue(`location ${location}`, async () => {
      const point = isNew ? undefined : await from();
      const conversation = point?.conversation ?? newConversationId({ user: caller.id, server: caller.server?.id, channel, question: id });
      const entry = active.enter(conversation);
      if (!point) await points.keepLocation(location, { conversation, messageId: id }, clock.nowMs());
      return {
        conversation,
        before: await conversationAt(location),
        forgotten: entry.signal,
        [Symbol.dispose]: () => entry[Symbol.dispose](),
      };
    });
  }

  function toOpenAnswer({ id, channel, token, isPrivate, caller: { locale, publicLocale } }: Question): OpenAnswer {
    return { id, channel, token, locale: isPrivate ? locale : publicLocale, askedAt: new Date(clock.nowMs()), writer: options.process };
  }

  async function conversationAt(location: string): Promise<string | undefined> {
    const point = await points.findLocation(location);
    return point === 'empty' ? undefined : point?.conversation;
  }

  async function forget(conversation: string): Promise<void> {
    // The points are deleted last: after a crash between the two, users still find the conversation and can forget it.
    await assistant.forget(conversation);
    await points.forget(conversation, { shared: isThreadKey });
  }

  async function write(question: AskedQuestion, { conversation, before, forgotten }: JoinedConversation): Promise<StreamedAnswer> {
    const { id, text, caller, target, isPrivate, location, waiting, onCost } = question;
    const texts = isPrivate ? caller.texts : caller.publicTexts;
    const { lookingAt, brokenOff, restIsInHistory, draftBelow, noAnswer } = texts.assistant;
    const leaving = new AbortController();
    const point = await question.from();
    const after = point?.conversation === conversation && point.messageId !== id ? point.messageId : undefined;
    const stopped = AbortSignal.any([signal, forgotten, leaving.signal]);
    // The model is already at work when a member deletes the conversation.
    forgotten.addEventListener('abort', onCost, { once: true });
    const answer = await streamAnswer({
      pieces: noting(assistant.ask({ conversation, text, id, after, by: caller.id, signal: stopped }), onCost),
      target,
      clock,
      describeTool: (tool) => lookingAt[kindOf(tool)],
      describeFailure: (error) => brokenOff(signal.aborted ? texts.errors.restarting : explain(toUserError(error, texts), texts)),
      tooLong: restIsInHistory,
      emptyAnswer: (hasDrafts) => (hasDrafts ? draftBelow : noAnswer),
      rows: question.rows,
      async onMessage(message) {
        question.onStart?.();
        await open.keep({ ...waiting, message });
        if (!isPrivate) await points.keepMessage(message, { conversation, messageId: id }, clock.nowMs());
      },
      stop: () => leaving.abort(),
    }).catch(async (error: unknown) => {
      const messages = (await assistant.getConversation(conversation, { upTo: id }))?.messages ?? [];
      if (!forgotten.aborted) await points.spend(conversation, costOf(messages), clock.nowMs());
      throw error;
    });
    if (forgotten.aborted) return answer;
    const { error, answerId = id, messages, drafts } = answer;
    if (error !== undefined && !signal.aborted) {
      const reason = reasonOf(error);
      if (!isExplained(error)) log.error({ error }, 'an answer of the assistant was interrupted');
      else if (reason !== undefined) log.warn({ reason }, 'an answer of the assistant was interrupted');
    }
    const current = { conversation, messageId: answerId };
    const stored = (await assistant.getConversation(conversation, { upTo: answerId }))?.messages ?? [];
    if (answer.answerId !== undefined && stored.every((message) => message.id !== id)) {
      // Another process deleted the conversation, and the answer was stored after that.
      await forget(conversation);
      return answer;
    }
    if (!isPrivate) for (const message of messages) await points.keepMessage(message, current, clock.nowMs());
    if ((await conversationAt(location)) === before) await points.keepLocation(location, current, clock.nowMs());
    await points.spend(conversation, costOf(stored), clock.nowMs());
    for (const draft of drafts) {
      const card = await options.draftButtons?.card(draft, texts);
      if (!card || forgotten.aborted) continue;
      // A reply to the card continues from the answer.
      const message = await target.add(card);
      if (!isPrivate) await points.keepMessage(message, current, clock.nowMs());
    }
    return answer;
  }

  return {
    async answer(question) {
      const { id, caller } = question;
      let isCharged = false;
      const onCost = (): void => {
        isCharged = true;
      };
      await countQuestion(id, caller, options);
      const waiting = toOpenAnswer(question);
      await open.keep(waiting);
      try {
        using joined = await join(question);
        const { conversation, forgotten } = joined;
        return await enqueue(`conversation ${conversation}`, async () => {
          signal.throwIfAborted();
          forgotten.throwIfAborted();
          if (isTooLate(waiting, clock.nowMs())) throw new UserError(caller.texts.assistant.waitedTooLong);
          const spent = await points.spend(conversation, 0, clock.nowMs());
          if (spent > MAX_TOKENS_PER_CONVERSATION) throw new UserError(caller.texts.assistant.tooLong);
          return await write({ ...question, waiting, onCost }, joined);
        });
      } catch (error) {
        // An answer that Discord refused or a user deleted counts, because the model was paid for it. It may also be paid for one that was lost.
        if (!isCharged && !isLost(error)) await counts.giveBack(id);
        throw toUserError(error, caller.texts);
      } finally {
        await open.close(id);
      }
    },

    async forget(conversation) {
      using _closed = active.close(conversation);
      await enqueue(`conversation ${conversation}`, () => forget(conversation));
    },
  };
}

/** Whether Discord would refuse the answer to a command. */
function isTooLate({ token, askedAt }: OpenAnswer, nowMs: number): boolean {
  return token !== undefined && nowMs - askedAt.getTime() >= TOKEN_LIFE_MS;
}

/** Yields the pieces, and calls `onPiece` before each one. */
async function* noting(pieces: AsyncIterable<AnswerPiece>, onPiece: () => void): AsyncGenerator<AnswerPiece> {
  for await (const piece of pieces) {
    onPiece();
    yield piece;
  }
}

/** Whether the model may have worked on a question without an answer, for example for longer than Fanfare waits. */
function isLost(error: unknown): boolean {
  return error instanceof PlatformError && error.fault === 'unanswered';
}

function toUserError(error: unknown, { assistant }: Texts): unknown {
  return error instanceof ConversationForgotten ? new UserError(assistant.forgottenMeanwhile) : error;
}

function kindOf(tool: string): 'streaming' | 'social' | 'draft' | 'other' {
  const [kind] = tool.split('_');
  return kind === 'streaming' || kind === 'social' || kind === 'draft' ? kind : 'other';
}

/** The tokens of the last answer: the reported usage, or an estimate from the length of the conversation. */
function costOf(messages: readonly Pick<AssistantMessage, 'text' | 'usage'>[]): number {
  const usage = messages.at(-1)?.usage;
  if (usage) return usage.inputTokens + usage.outputTokens;
  return Math.ceil(messages.reduce((chars, { text }) => chars + text.length, 0) / CHARS_PER_TOKEN);
}
