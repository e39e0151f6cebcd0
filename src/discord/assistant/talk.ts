import type { Assistant } from '#src/assistant/assistant.ts';
import { UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { AnswerPlaces, ConversationPoint } from '#src/store/answer-places.ts';
import type { OpenAnswer, OpenAnswers } from '#src/store/open-answers.ts';
import type { Asker } from '../asker.ts';
import type { Words } from '../language/words.ts';
import { explain, isExplained, reasonOf } from '../refusal.ts';
import { costOf } from './answer-cost.ts';
import { conversationBegunBy } from './conversation-id.ts';
import type { DraftButtons } from './draft-buttons.ts';
import { showGrowing, type GrownAnswer } from './growing-answer.ts';
import { inOrder } from './in-order.ts';
import type { Page, Sheet } from './page.ts';
import { isThreadPlace } from './places.ts';
import { countQuestion, type QuotaOptions } from './quota.ts';
import { Forgotten, underWay } from './under-way.ts';

/** What one conversation may cost. */
const MOST_TOKENS = 200_000;

export interface TalkOptions extends QuotaOptions {
  readonly assistant: Assistant;
  readonly places: AnswerPlaces;
  readonly open: OpenAnswers;
  /** Shows what was drafted; without it, nothing is. */
  readonly draftButtons?: Pick<DraftButtons, 'card'> | undefined;
  readonly log: Log;
  /** Aborted when the bot goes offline. */
  readonly signal: AbortSignal;
}

/** Something that somebody asks the assistant. */
interface AskedQuestion {
  /** Discord's id of what it was asked with. */
  readonly id: string;
  readonly text: string;
  readonly asker: Asker;
  readonly channel: string;
  /** Gives access to the answer to a command; absent: a message was asked with. */
  readonly token?: string | undefined;
  readonly page: Page;
  /** Whether nobody else sees the answer: then nothing can be said below it. */
  readonly isPrivate: boolean;
  /** From which answer the conversation goes on; it is asked again once it is this question's turn. Undefined: a new one begins. */
  readonly from: () => Promise<ConversationPoint | undefined>;
  /** What goes on from the answer. */
  readonly place: string;
  /** Whether a new conversation takes the place, whatever was said there. */
  readonly isNew?: boolean | undefined;
  /** What stands below the whole answer. */
  readonly rows: () => Sheet['rows'];
  /** Told once something of the answer stands there. */
  readonly onBegun?: (() => void) | undefined;
}

/** Conversations in Discord with the assistant. */
export interface Talk {
  /** Answers, after the questions of the same conversation that came before; what it throws is for who asked, and nothing was written then. */
  answer(question: AskedQuestion): Promise<GrownAnswer>;
  /** Has a conversation forgotten: its answers that are made or waited for end, and once it resolves, nothing of it is kept or comes back. */
  forget(conversation: string): Promise<void>;
}

/** The conversation that a question belongs to. */
interface Joined extends Disposable {
  readonly conversation: string;
  /** That of the place when it was asked: the answer moves no place that has moved meanwhile. */
  readonly before: string | undefined;
  /** Aborted when the conversation is forgotten. */
  readonly forgotten: AbortSignal;
}

/** Asks the assistant for people, shows what it answers and keeps which message holds which answer. */
export function createTalk(options: TalkOptions): Talk {
  const { assistant, places, open, counts, clock, log, signal } = options;
  const inTurn = inOrder();
  const asked = underWay();

  /** The conversation of a question; of two that begin one in the same place, the second goes on with that of the first. */
  function join(question: AskedQuestion): Promise<Joined> {
    const { id, from, place, isNew, asker, channel } = question;
    return inTurn(`place ${place}`, async () => {
      const point = isNew ? undefined : await from();
      const conversation =
        point?.conversation ?? conversationBegunBy({ person: asker.id, server: asker.server?.id, channel, question: id });
      const entry = asked.enter(conversation);
      if (!point) await places.keepPlace(place, { conversation, turn: id }, clock.nowMs());
      return {
        conversation,
        before: await conversationAt(place),
        forgotten: entry.signal,
        [Symbol.dispose]: () => entry[Symbol.dispose](),
      };
    });
  }

  async function conversationAt(place: string): Promise<string | undefined> {
    const point = await places.findPlace(place);
    return point === 'empty' ? undefined : point?.conversation;
  }

  async function write(question: AskedQuestion, { conversation, before, forgotten }: Joined): Promise<GrownAnswer> {
    const { id, text, asker, page, isPrivate, place } = question;
    const said = isPrivate ? asker.words : asker.publicWords;
    const { assistant: words } = said;
    const leaving = new AbortController();
    const point = await question.from();
    const after = point?.conversation === conversation && point.turn !== id ? point.turn : undefined;
    const waiting = toOpenAnswer(question, new Date(clock.nowMs()));
    const over = AbortSignal.any([signal, forgotten, leaving.signal]);
    const pieces = assistant.ask({ conversation, text, id, after, by: asker.id, signal: over });
    const answer = await showGrowing({
      pieces,
      page,
      clock,
      sayTool: (tool) => words.lookingAt[kindOf(tool)],
      sayBroken: (error) => words.brokenOff(signal.aborted ? said.errors.restarting : explain(toTell(error, said), said)),
      tooLong: words.restIsInHistory,
      wordless: (hasDrafts) => (hasDrafts ? words.draftBelow : words.noAnswer),
      rows: question.rows,
      async onMessage(message) {
        question.onBegun?.();
        await open.keep({ ...waiting, message });
        if (!isPrivate) await places.keepMessage(message, { conversation, turn: id }, clock.nowMs());
      },
      stop: () => leaving.abort(),
    });
    const { error, turn = id, messages } = answer;
    if (forgotten.aborted) return answer;
    if (error !== undefined && !signal.aborted) {
      const reason = reasonOf(error);
      if (!isExplained(error)) log.error({ error }, 'an answer of the assistant broke off');
      else if (reason !== undefined) log.warn({ reason }, 'an answer of the assistant broke off');
    }
    const now = { conversation, turn };
    if (!isPrivate) for (const message of messages) await places.keepMessage(message, now, clock.nowMs());
    if ((await conversationAt(place)) === before) await places.keepPlace(place, now, clock.nowMs());
    await places.spend(conversation, await costOf(now, options), clock.nowMs());
    for (const draft of answer.drafts) {
      const card = await options.draftButtons?.card(draft, said);
      if (!card || forgotten.aborted) continue;
      // What is said to a card goes on from its answer.
      const message = await page.add(card);
      if (!isPrivate) await places.keepMessage(message, now, clock.nowMs());
    }
    return answer;
  }

  return {
    async answer(asked) {
      let isBegun = false;
      const onBegun = (): void => {
        isBegun = true;
        asked.onBegun?.();
      };
      const question = { ...asked, onBegun };
      const { id, asker } = question;
      await countQuestion(id, asker, options);
      await open.keep(toOpenAnswer(question, new Date(clock.nowMs())));
      try {
        using joined = await join(question);
        const { conversation, forgotten } = joined;
        return await inTurn(`conversation ${conversation}`, async () => {
          signal.throwIfAborted();
          forgotten.throwIfAborted();
          if ((await places.spend(conversation, 0, clock.nowMs())) > MOST_TOKENS) throw new UserError(asker.words.assistant.tooLong);
          return await write(question, joined);
        });
      } catch (error) {
        // Who got nothing has used up nothing; what was deleted while it was written was there.
        if (!isBegun) await counts.giveBack(id);
        throw toTell(error, asker.words);
      } finally {
        await open.close(id);
      }
    },

    async forget(conversation) {
      using _closed = asked.close(conversation);
      await inTurn(`conversation ${conversation}`, async () => {
        // What leads to it last: after a crash it can be found, and forgotten, again.
        await assistant.forget(conversation);
        await places.forget(conversation, { shared: isThreadPlace });
      });
    },
  };
}

/** An error as people are told it. */
function toTell(error: unknown, { assistant }: Words): unknown {
  return error instanceof Forgotten ? new UserError(assistant.forgottenMeanwhile) : error;
}

function toOpenAnswer({ id, channel, token, asker: { locale } }: AskedQuestion, askedAt: Date): OpenAnswer {
  return { id, channel, token, locale, askedAt };
}

/** Of which kind a tool is, by its name. */
function kindOf(tool: string): 'streaming' | 'social' | 'draft' | 'other' {
  const [kind] = tool.split('_');
  return kind === 'streaming' || kind === 'social' || kind === 'draft' ? kind : 'other';
}
