import { graphemesOf } from './graphemes.ts';
import type { TextLimit } from './limit.ts';
import { runsOf } from './links.ts';

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Signs of one name, one escape or one tag: what stays together. */
const TOGETHER = /<[@#:a][^<>\s]*>|[@＠]\u2060?[\p{L}\p{M}\p{N}_.@-]+|\\[^\p{L}\p{N}\s]/gu;
/** A part that is shorter than this share of what it may be is filled with the beginning of the next sentence. */
const FULL_ENOUGH = 0.5;

/** Where a text may be parted: after a word, or after a sentence. */
interface Break {
  /** The end of what goes before. */
  readonly end: number;
  readonly afterSentence: boolean;
}

/**
 * The text in parts that are each within the limit: at the ends of sentences, else between words.
 *
 * A word that is too long for a part is cut between two of its characters; a link, a mention or an escape is never cut, and is left out
 * where no part could hold it.
 */
export function splitText(text: string, limit: TextLimit): readonly string[] {
  const parts: string[] = [];
  let rest = withoutGiants(text, limit).trim();
  while (rest !== '') {
    const end = lengthWithin(rest, limit);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return parts;
}

/** How much from the start goes into one part. */
function lengthWithin(text: string, limit: TextLimit): number {
  if (fits(text, limit)) return text.length;
  const breaks = breaksOf(text);
  const last = lastFitting(text, breaks, limit);
  if (last === undefined) return wordWithin(text, limit);
  const sentence = breaks.findLast(({ end, afterSentence }) => afterSentence && end <= last.end);
  return sentence && limit.lengthOf(text.slice(0, sentence.end)) >= limit.most * FULL_ENOUGH ? sentence.end : last.end;
}

function fits(text: string, { most, lengthOf }: TextLimit): boolean {
  return lengthOf(text) <= most;
}

/** The last break that what goes before it fits; a text that is longer is hardly ever counted as shorter. */
function lastFitting(text: string, breaks: readonly Break[], limit: TextLimit): Break | undefined {
  let [low, high] = [0, breaks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(text.slice(0, breaks[middle]?.end), limit)) low = middle + 1;
    else high = middle;
  }
  return breaks.slice(0, low).findLast(({ end }) => fits(text.slice(0, end), limit));
}

function breaksOf(text: string): readonly Break[] {
  const sentenceEnds = new Set(Array.from(sentences.segment(text), ({ index, segment }) => index + segment.trimEnd().length));
  return Array.from(text.matchAll(/\s+/gu), ({ index }) => ({ end: index, afterSentence: sentenceEnds.has(index) }));
}

/** As much as fits of a word that does not fit as a whole. */
function wordWithin(text: string, limit: TextLimit): number {
  let end = 0;
  for (const atom of atomsOf(text)) {
    if (end > 0 && !fits(text.slice(0, end + atom.length), limit)) return end;
    end += atom.length;
  }
  return end;
}

/** What may not be cut: links, mentions, escapes, and the characters as a reader sees them. */
function atomsOf(text: string): readonly string[] {
  return runsOf(text).flatMap(({ text: run, link }) => (link ? [run] : charactersOf(run)));
}

function charactersOf(text: string): readonly string[] {
  const atoms: string[] = [];
  let from = 0;
  for (const { 0: whole, index } of text.matchAll(TOGETHER)) {
    atoms.push(...graphemesOf(text.slice(from, index)), whole);
    from = index + whole.length;
  }
  return [...atoms, ...graphemesOf(text.slice(from))];
}

function withoutGiants(text: string, limit: TextLimit): string {
  const atoms = atomsOf(text);
  return atoms.every((atom) => fits(atom, limit)) ? text : atoms.filter((atom) => fits(atom, limit)).join('');
}
