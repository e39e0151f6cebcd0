import type { AnswerPiece } from '#src/clients/assistant/answering.ts';
import type { Clock } from '#src/clock.ts';
import { isDeleted } from '#src/discord/explain-error.ts';
import { splitMessage } from '#src/discord/text/split-message.ts';
import { answerText, beginningOf } from '#src/discord/text/untrusted-text.ts';
import type { AnswerMessage, AnswerTarget } from './answer-target.ts';

/** How often a message may change. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;
/** The rest of a message is for the small print. */
const MAX_TEXT_LENGTH = 1_600;
const MAX_PRINT_LENGTH = 190;
/** The history shows the rest of a longer answer. */
const MAX_MESSAGES = 10;

export interface StreamAnswerOptions {
  readonly pieces: AsyncIterable<AnswerPiece>;
  readonly target: AnswerTarget;
  readonly clock: Clock;
  /** The small print while a tool runs. */
  readonly describeTool: (tool: string) => string;
  /** The small print below an answer that failed. */
  readonly describeFailure: (error: unknown) => string;
  /** The small print below an answer that needs too many messages. */
  readonly tooLong: string;
  /** Replaces an answer without text. */
  readonly emptyAnswer: (hasDrafts: boolean) => string;
  /** The components below the complete answer. */
  readonly rows: () => AnswerMessage['rows'];
  /** Called with the id of each new message before anything else is written. */
  readonly onMessage: (message: string) => Promise<void>;
  /** Called if the answer can no longer be shown. */
  readonly stop: () => void;
}

export interface StreamedAnswer {
  /** The ids of the messages in order. */
  readonly messages: readonly string[];
  /** The id of the answer in the conversation; absent if the answer failed or is empty. */
  readonly answerId: string | undefined;
  /** The ids of the drafts that the assistant made. */
  readonly drafts: readonly string[];
  /** The reason why the answer ended early. */
  readonly error: unknown;
}

/**
 * Shows an answer while the assistant writes it: at most one change a second, continued in further messages.
 *
 * Rejects if the answer fails before there is anything to show. A later failure is shown below the answer. The answer ends if a user deletes it.
 */
export async function streamAnswer(options: StreamAnswerOptions): Promise<StreamedAnswer> {
  const { pieces, target, clock, stop } = options;
  const shown: { readonly id: string; message: AnswerMessage }[] = [];
  const drafts: string[] = [];
  let [text, print, isOver] = ['', '', false];
  let answerId: string | undefined;
  let error: unknown;
  let news = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    try {
      for await (const piece of pieces) {
        print = '';
        if (typeof piece === 'string') text += piece;
        else if ('tool' in piece) print = options.describeTool(piece.tool);
        else if ('draft' in piece) drafts.push(piece.draft);
        else answerId = piece.answerId;
        news.resolve();
      }
    } catch (cause) {
      error = cause;
    } finally {
      isOver = true;
      news.resolve();
    }
  }

  async function show(last: boolean): Promise<void> {
    const contents = toMessages(text, print, options.tooLong);
    for (const [index, content] of contents.entries()) {
      const isEnd = last && index === contents.length - 1;
      const message: AnswerMessage = { content, rows: isEnd && error === undefined ? options.rows() : undefined };
      const before = shown[index];
      if (!before) {
        const id = await target.add(message);
        shown.push({ id, message });
        await options.onMessage(id);
      } else if (before.message.content !== content || message.rows) {
        await target.change(before.id, message);
        before.message = message;
      }
    }
  }

  async function write(): Promise<void> {
    let nextMs = -Infinity;
    for (let last = false; !last;) {
      await news.promise;
      if (nextMs > clock.nowMs()) await clock.sleep(nextMs - clock.nowMs());
      news = Promise.withResolvers();
      last = isOver;
      if (last) finish();
      const startedMs = clock.nowMs();
      await show(last);
      // A slow response means that Discord limits the rate.
      const tookMs = clock.nowMs() - startedMs;
      nextMs = clock.nowMs() + Math.min(Math.max(PAUSE_MS, 2 * tookMs), MAX_PAUSE_MS);
    }
  }

  function finish(): void {
    print = '';
    if (error !== undefined && (text !== '' || shown.length > 0)) print = options.describeFailure(error);
    else if (error === undefined && text.trim() === '') text = options.emptyAnswer(drafts.length > 0);
  }

  const reading = read();
  try {
    await write();
  } catch (cause) {
    stop();
    await reading;
    if (!isDeleted(cause)) throw cause;
    [error, drafts.length] = [undefined, 0];
  }
  await reading;
  if (error !== undefined && shown.length === 0) throw error;
  return { messages: shown.map(({ id }) => id), answerId, drafts, error };
}

function toMessages(text: string, print: string, tooLong: string): readonly string[] {
  const all = splitMessage(answerText(text), MAX_TEXT_LENGTH);
  const messages = all.slice(0, MAX_MESSAGES);
  const below = [...(all.length > MAX_MESSAGES ? [tooLong] : []), ...(print === '' ? [] : [print])];
  if (below.length === 0) return messages;
  const small = below.map((line) => `-# ${beginningOf(line, MAX_PRINT_LENGTH)}`).join('\n');
  return messages.length === 0 ? [small] : messages.with(-1, `${messages.at(-1)}\n${small}`);
}
