import type { TextLimit } from '#src/clients/operation/text/limit.ts';
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
  /** The shape of the text that becomes a thread, which keeps its length. */
  readonly threaded?: Shape | undefined;
}

/** Makes the function that fits the texts of a step. */
export function fitting({ fit = 'truncate', textLimit, threaded }: FittingOptions): FitText {
  return (text, shape) => {
    const limit = limitOf(shape, textLimit);
    if (!limit || shape === threaded || limit.lengthOf(text) <= limit.most) return text;
    if (fit === 'error') throw new TooLong(`the text has ${limit.lengthOf(text)} characters, and the limit is ${limit.most}`);
    const short = shape?.markup === 'markdown' ? shortenMarkdown(text, limit.most) : shorten(text, limit.most, limit.lengthOf);
    if (short === '') throw new TooLong(tooLongToFit(text.trim(), limit));
    return short;
  };
}

/** The message for a piece that cannot be cut. */
function tooLongToFit(piece: string, { most, lengthOf }: TextLimit): string {
  const what = /^https?:/iu.test(piece) ? 'a link' : 'one character';
  return `${what} in the text has a length of ${lengthOf(piece)}, the limit is ${most}, and Fanfare cannot shorten it`;
}

/** The limit of a text; undefined without one. */
export function limitOf(shape: TextShape | undefined, textLimit: TextLimit | undefined): TextLimit | undefined {
  if (shape?.markup === 'post' && textLimit) return textLimit;
  return shape?.max === undefined ? undefined : { most: shape.max, lengthOf: (text) => text.length };
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
  textLimit: TextLimit | undefined,
): readonly JsonObject[] | { readonly failure: string } {
  const text = params[key];
  const limit = limitOf(shape, textLimit);
  if (typeof text !== 'string' || !limit || limit.lengthOf(text) <= limit.most) return [params];
  const split = splitText(text, limit);
  if ('tooLong' in split) return { failure: `${key}: ${tooLongToFit(split.tooLong, limit)}` };
  const [first = '', ...rest] = split.parts;
  if (rest.length >= MOST_PARTS) return { failure: `${key} needs ${rest.length + 1} posts, and a thread has at most ${MOST_PARTS}` };
  const common = Object.entries(params).filter(([name]) => OF_EVERY_PART.has(name));
  return [{ ...params, [key]: first }, ...rest.map((part) => ({ ...Object.fromEntries(common), [key]: part }))];
}
