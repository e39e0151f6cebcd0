/** The longest message that Discord takes. */
const LIMIT = 2000;
const FENCE = '```';
const CLOSING = `\n${FENCE}`;

/** The end of a line or of a sentence; the number of a list's item ends none. */
const SENTENCE_END = /\n|(?<!^\s*\d+)[.!?…。！？]+["'”’)\]*_]*[^\S\n]+/gmu;
const WORD_END = /\s/gu;
const LINE_END = /\n/gu;

/**
 * A long text as messages that Discord takes, cut at the ends of sentences.
 *
 * A code block that fits into a message is not split. A longer one is closed and reopened. If more text is appended
 * later, all messages except the last stay the same.
 */
export function splitMessage(text: string, limit = LIMIT): readonly string[] {
  const messages: string[] = [];
  let opening = '';
  let rest = text;
  while (opening.length + rest.length + CLOSING.length > limit) {
    const window = rest.slice(0, limit - opening.length - CLOSING.length);
    const { end, block } = cutIn(window, opening);
    messages.push(opening + rest.slice(0, end));
    opening = block;
    rest = rest.slice(end);
  }
  messages.push(opening + rest);
  return messages.map((message) => closed(message.replace(/^\s*\n/u, '').trimEnd())).filter((message) => message !== '');
}

interface Cut {
  readonly end: number;
  /** The opening line of the split code block; empty outside of code blocks. */
  readonly block: string;
}

function cutIn(window: string, opening: string): Cut {
  const blockAt = blocksIn(window, opening);
  const outside = (end: number): boolean => blockAt(end) === '';
  const inside = (end: number): boolean => !outside(end);
  const end =
    lastEnd(window, SENTENCE_END, outside) ??
    lastEnd(window, WORD_END, outside) ??
    lastEnd(window, LINE_END, inside) ??
    wholeCharacters(window);
  return { end, block: blockAt(end) };
}

/** Returns the code block at each position of `window`. */
function blocksIn(window: string, opening: string): (position: number) => string {
  const changes: { readonly position: number; readonly block: string }[] = [{ position: 0, block: opening }];
  for (const match of window.matchAll(/```(?:([\w+#.-]{0,20})\n)?/gu)) {
    const opens = changes.at(-1)?.block === '';
    changes.push({ position: match.index + (opens ? 1 : FENCE.length), block: opens ? `${FENCE}${match[1] ?? ''}\n` : '' });
  }
  return (position) => changes.findLast((change) => change.position <= position)?.block ?? '';
}

/** Where the last match of `pattern` that fits ends, if there is text before it. */
function lastEnd(window: string, pattern: RegExp, fits: (end: number) => boolean): number | undefined {
  const ends = window.matchAll(pattern).map((match) => match.index + match[0].length);
  return [...ends].findLast((end) => fits(end) && hasText(window.slice(0, end)));
}

function hasText(text: string): boolean {
  return text.replaceAll(/```[\w+#.-]*/gu, '').trim() !== '';
}

function wholeCharacters(window: string): number {
  return /[\uD800-\uDBFF]$/.test(window) ? window.length - 1 : window.length;
}

function closed(message: string): string {
  const fences = message.split(FENCE).length - 1;
  return fences % 2 === 1 ? message + CLOSING : message;
}
