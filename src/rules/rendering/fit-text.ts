import type { TextLimit } from '#src/operation/text/limit.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import type { Shape, TextShape } from '../shape/shape.ts';
import type { Fit } from '../step.ts';

/** A text that is too long where `fit` is `error`; the message is for the rule's author. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** Makes a text as long as its place may hold; undefined: the place of no text. */
export type FitText = (text: string, shape: TextShape | undefined) => string;

export interface FittingOptions {
  readonly fit?: Fit | undefined;
  /** How long a post of the account may be. */
  readonly textLimit?: TextLimit | undefined;
  /** The text that becomes a thread: it is left as long as it is. */
  readonly threaded?: Shape | undefined;
}

/** How the texts of a step are made to fit. */
export function fitting({ fit = 'truncate', textLimit, threaded }: FittingOptions): FitText {
  return (text, shape) => {
    const limit = limitOf(shape, textLimit);
    if (!limit || shape === threaded || limit.lengthOf(text) <= limit.most) return text;
    if (fit === 'error') throw new TooLong(`a text is ${limit.lengthOf(text)} long, and ${limit.most} is the most that fits`);
    const short = shorten(text, limit.most, limit.lengthOf);
    if (short === '') throw new TooLong(tooLongToFit(text.trim(), limit));
    return short;
  };
}

/** Why what may not be cut cannot be said at all. */
export function tooLongToFit(piece: string, { most, lengthOf }: TextLimit): string {
  const what = /^https?:/iu.test(piece) ? 'a link' : 'one character';
  return `${what} in it is ${lengthOf(piece)} long, and ${most} is the most that fits: it cannot be cut`;
}

/** How long a text of this shape may be; undefined: as long as it likes. */
export function limitOf(shape: TextShape | undefined, textLimit: TextLimit | undefined): TextLimit | undefined {
  if (shape?.markup === 'post' && textLimit) return textLimit;
  return shape?.max === undefined ? undefined : { most: shape.max, lengthOf: (text) => text.length };
}
