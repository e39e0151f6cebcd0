import type { AnswerPiece } from '#src/assistant/answering.ts';
import type { Clock } from '#src/clock.ts';
import { answerText } from '../text/answer-text.ts';
import { splitMessage } from '../text/split-message.ts';
import { isDeleted } from '../while-there.ts';
import type { Page, Sheet } from './page.ts';

/** How often a message may change. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** The rest of a message is for the small print. */
const LONGEST_TEXT = 1_600;
const LONGEST_PRINT = 190;
/** What is longer is to be read in the history. */
const MOST_MESSAGES = 10;

export interface GrowingAnswerOptions {
  readonly pieces: AsyncIterable<AnswerPiece>;
  readonly page: Page;
  readonly clock: Clock;
  /** Says what a tool looks at. */
  readonly sayTool: (tool: string) => string;
  /** Says below what was written why there is no more of it. */
  readonly sayBroken: (error: unknown) => string;
  /** Says that the rest stands elsewhere. */
  readonly tooLong: string;
  /** Stands for an answer that has no words. */
  readonly wordless: (hasDrafts: boolean) => string;
  /** What stands below the whole answer. */
  readonly rows: () => Sheet['rows'];
  /** Told of each message before anything else is written. */
  readonly onMessage: (message: string) => Promise<void>;
  /** Ends the answer when it cannot be shown any more. */
  readonly stop: () => void;
}

/** What became of an answer. */
export interface GrownAnswer {
  /** Its messages, in their order. */
  readonly messages: readonly string[];
  /** The turn from which the conversation can go on; absent: it broke off, or had nothing to say. */
  readonly turn: string | undefined;
  /** The drafts that were made for it. */
  readonly drafts: readonly string[];
  /** Why it broke off. */
  readonly error: unknown;
}

/**
 * Shows an answer while it is written: it grows, at most one change a second, and goes on in further messages.
 *
 * Rejects where it failed before anything was there to be shown; later, its end says so. It ends where somebody deletes it.
 */
export async function showGrowing(options: GrowingAnswerOptions): Promise<GrownAnswer> {
  const { pieces, page, clock, stop } = options;
  const shown: { readonly id: string; sheet: Sheet }[] = [];
  const drafts: string[] = [];
  let [text, print, isOver] = ['', '', false];
  let turn: string | undefined;
  let error: unknown;
  let news = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    try {
      for await (const piece of pieces) {
        print = '';
        if (typeof piece === 'string') text += piece;
        else if ('tool' in piece) print = options.sayTool(piece.tool);
        else if ('draft' in piece) drafts.push(piece.draft);
        else turn = piece.turn;
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
    const sheets = toSheets(text, print, options);
    for (const [index, content] of sheets.entries()) {
      const isEnd = last && index === sheets.length - 1;
      const sheet: Sheet = { content, rows: isEnd && error === undefined ? options.rows() : undefined };
      const before = shown[index];
      if (!before) {
        const id = await page.add(sheet);
        shown.push({ id, sheet });
        await options.onMessage(id);
      } else if (before.sheet.content !== content || sheet.rows) {
        await page.change(before.id, sheet);
        before.sheet = sheet;
      }
    }
  }

  async function write(): Promise<void> {
    let freeAtMs = -Infinity;
    for (let last = false; !last;) {
      await news.promise;
      if (freeAtMs > clock.nowMs()) await clock.sleep(freeAtMs - clock.nowMs());
      news = Promise.withResolvers();
      last = isOver;
      if (last) finish();
      const beganMs = clock.nowMs();
      await show(last);
      // Where Discord makes us wait, it is asked less often.
      const tookMs = clock.nowMs() - beganMs;
      freeAtMs = clock.nowMs() + Math.min(Math.max(PAUSE_MS, 2 * tookMs), LONGEST_PAUSE_MS);
    }
  }

  function finish(): void {
    print = '';
    if (error !== undefined && (text !== '' || shown.length > 0)) print = options.sayBroken(error);
    else if (error === undefined && text.trim() === '') text = options.wordless(drafts.length > 0);
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
  return { messages: shown.map(({ id }) => id), turn, drafts, error };
}

/** The messages that a text and the small print below it need. */
function toSheets(text: string, print: string, { tooLong }: Pick<GrowingAnswerOptions, 'tooLong'>): readonly string[] {
  const all = splitMessage(answerText(text), LONGEST_TEXT);
  const sheets = all.slice(0, MOST_MESSAGES);
  const below = [...(all.length > MOST_MESSAGES ? [tooLong] : []), ...(print === '' ? [] : [print])];
  if (below.length === 0) return sheets;
  const small = below.map((line) => `-# ${line.slice(0, LONGEST_PRINT)}`).join('\n');
  return sheets.length === 0 ? [small] : sheets.with(-1, `${sheets.at(-1)}\n${small}`);
}
