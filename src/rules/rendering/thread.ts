import type { JsonObject } from '#src/operation/json.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import { splitText } from '#src/operation/text/split-text.ts';
import { textOf, type Shape, type TextShape } from '../shape/shape.ts';
import { limitOf, tooLongToFit } from './fit-text.ts';

/** A rule that says more than that at once is a mistake. */
const MOST_PARTS = 25;

/** Where a post goes: the same for all parts. What stands beside the text goes with the first; who may answer it may answer all of them. */
const OF_EVERY_PART: ReadonlySet<string> = new Set(['channel', 'thread', 'community', 'postOnTimeline']);

/** The text of an operation that can become a thread. */
export interface Threaded {
  /** Its parameter. */
  readonly key: string;
  readonly shape: TextShape;
}

/** The text that can become a thread, where what it belongs to can answer another of its kind. */
export function threadedText(params: Shape): Threaded | undefined {
  if (params.kind !== 'record' || !params.fields.has('replyTo')) return undefined;
  for (const [key, field] of params.fields) {
    const shape = textOf(field.shape);
    if (shape?.markup !== undefined) return { key, shape };
  }
  return undefined;
}

/** The parameters of each post of the thread that a text becomes; all but the first lack their `replyTo`. */
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
  if (rest.length >= MOST_PARTS)
    return { failure: `${key} is long enough for ${rest.length + 1} posts, and a thread has at most ${MOST_PARTS}` };
  const common = Object.entries(params).filter(([name]) => OF_EVERY_PART.has(name));
  return [{ ...params, [key]: first }, ...rest.map((part) => ({ ...Object.fromEntries(common), [key]: part }))];
}
