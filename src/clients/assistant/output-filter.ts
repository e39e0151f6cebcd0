/** Removes phrases from a text that arrives in pieces. */
export interface OutputFilter {
  /** The filtered text that can be shown by now. */
  push(piece: string): string;
  /** The rest of the text. */
  end(): string;
}

const INSTEAD = '[…]';

/** Creates a filter that replaces each of `phrases` by `[…]`, in any case, also across pieces. */
export function createOutputFilter(phrases: readonly string[]): OutputFilter {
  const whole = phrases.length > 0 ? new RegExp(phrases.map((phrase) => RegExp.escape(phrase)).join('|'), 'giu') : undefined;
  const lowered = phrases.map((phrase) => phrase.toLowerCase());
  const longest = Math.max(0, ...lowered.map(({ length }) => length));
  let pending = '';

  /** The length of the end that may begin a phrase. */
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
      const text = whole ? (pending + piece).replace(whole, INSTEAD) : piece;
      const length = openEnd(text);
      pending = text.slice(Math.max(0, text.length - length));
      return text.slice(0, Math.max(0, text.length - length));
    },
    end() {
      const rest = pending;
      pending = '';
      return rest;
    },
  };
}
