/** Lets a text through that comes in pieces, without what must not be said in it. */
export interface Withholding {
  /** What can be said of all that came so far. */
  push(piece: string): string;
  /** What was still held back. */
  end(): string;
}

const INSTEAD = '[…]';

/** Puts `[…]` where one of `phrases` stands, in whatever case, and however the text is cut into pieces. */
export function withholding(phrases: readonly string[]): Withholding {
  const whole = phrases.length > 0 ? new RegExp(phrases.map((phrase) => RegExp.escape(phrase)).join('|'), 'giu') : undefined;
  const lowered = phrases.map((phrase) => phrase.toLowerCase());
  const longest = Math.max(0, ...lowered.map(({ length }) => length));
  let held = '';

  /** How much of the end could be the beginning of a phrase. */
  function openEnd(text: string): number {
    const end = text.slice(-longest).toLowerCase();
    for (let length = Math.min(end.length, longest); length > 0; length--) {
      const tail = end.slice(-length);
      if (lowered.some((phrase) => phrase.startsWith(tail))) return length;
    }
    return 0;
  }

  return {
    push(piece) {
      const text = whole ? (held + piece).replace(whole, INSTEAD) : piece;
      const length = openEnd(text);
      held = text.slice(Math.max(0, text.length - length));
      return text.slice(0, Math.max(0, text.length - length));
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}
