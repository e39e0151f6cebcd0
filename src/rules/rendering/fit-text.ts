import { limitBeside, type TextLimit } from '#src/clients/operation/text/limit.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { shortenMarkdown } from '#src/clients/operation/text/shorten-markdown.ts';
import { type Shape, type TextShape, textOf } from '#src/rules/shape/shape.ts';
import type { Fit } from '#src/rules/step.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { splitText } from '#src/clients/operation/text/split-text.ts';

/** A text that does not fit. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** Fits a text into the limit of its shape. */
export type FitText = (text: string, shape: TextShape | undefined) => string;

interface FittingOptions {
  readonly fit?: Fit | undefined;
  /** The text limit of the account. */
  readonly textLimit?: TextLimit | undefined;
  /** The shape of a text that keeps its length. */
  readonly whole?: Shape | undefined;
  /** The room that pings take from the text of a message. */
  readonly pings?: number | undefined;
}

/** Makes the function that fits the texts of a step. */
export function fitting({ fit = 'truncate', textLimit, whole, pings }: FittingOptions): FitText {
  return (text, shape) => {
    const limit = limitOf(shape, textLimit, pings);
    if (!limit || shape === whole || limit.lengthOf(text) <= limit.most) return text;
    if (fit === 'error') throw new TooLong(`the text has ${limit.lengthOf(text)} characters, and the limit is ${mostText(limit)}`);
    const short = shape?.markup === 'markdown' ? shortenMarkdown(text, limit.most) : shorten(text, limit.most, limit.lengthOf);
    if (short === '') throw new TooLong(tooLongToFit(text.trim(), limit));
    return short;
  };
}

/** The message for a piece that cannot be cut. */
function tooLongToFit(piece: string, limit: TextLimit): string {
  const what = /^https?:/iu.test(piece) ? 'a link' : 'one character';
  return `${what} in the text has a length of ${limit.lengthOf(piece)}, the limit is ${mostText(limit)}, and Fanfare cannot shorten it`;
}

/** The number of a limit, with the parts that take room from the text. */
function mostText({ most, beside = [] }: TextLimit): string {
  return beside.length === 0 ? String(most) : `${most} beside ${beside.join(' and ')}`;
}

/** The limit of a text; undefined without one. `pings`: the room that they take from the text of a message. */
export function limitOf(shape: TextShape | undefined, textLimit: TextLimit | undefined, pings = 0): TextLimit | undefined {
  if (shape?.markup === 'post' && textLimit) return textLimit;
  if (shape?.max === undefined) return undefined;
  return limitBeside({ most: shape.max, lengthOf: (text) => text.length }, { what: 'the pings', length: pings });
}

/** More parts are a mistake in the rule. */
const MOST_PARTS = 25;

/** Parameters of every part. The first part has all others. */
const OF_EVERY_PART: ReadonlySet<string> = new Set([
  'channel',
  'thread',
  'community',
  'postOnTimeline',
  'visibility',
  'language',
  'warning',
  'sensitive',
]);

/** The parameter that can become a thread. */
interface Threaded {
  /** Its name. */
  readonly key: string;
  readonly shape: TextShape;
}

/** Finds the text that can become a thread. The operation must have `replyTo`. */
export function threadedText(params: Shape): Threaded | undefined {
  if (params.kind !== 'record' || !params.fields.has('replyTo')) return undefined;
  for (const [key, field] of params.fields) {
    const shape = textOf(field.shape);
    if (shape?.markup !== undefined) return { key, shape };
  }
  return undefined;
}

/** The parameters of each post of a thread. The delivery engine adds `replyTo` to later posts. */
export function toThread(
  params: JsonObject,
  { key, shape }: Threaded,
  { textLimit, pings }: Pick<FittingOptions, 'textLimit' | 'pings'>,
): readonly JsonObject[] | { readonly failure: string } {
  const text = params[key];
  const limit = limitOf(shape, textLimit, pings);
  if (typeof text !== 'string' || !limit || limit.lengthOf(text) <= limit.most) return [params];
  const split = splitText(text, limit, { most: MOST_PARTS });
  if ('tooLong' in split) return { failure: `${key}: ${tooLongToFit(split.tooLong, limit)}` };
  const [first = '', ...rest] = split.parts;
  if (rest.length >= MOST_PARTS) return { failure: `${key} needs more than ${MOST_PARTS} posts, and a thread has at most ${MOST_PARTS}` };
  const common = Object.entries(params).filter(([name]) => OF_EVERY_PART.has(name));
  return [{ ...params, [key]: first }, ...rest.map((part) => ({ ...Object.fromEntries(common), [key]: part }))];
}
