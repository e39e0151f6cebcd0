import { atomsOf, signsOf, type Atom } from './atoms.ts';
import { greatest } from './greatest.ts';
import type { TextLimit } from './limit.ts';

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A shorter part also receives the beginning of the next sentence. */
const FULL_ENOUGH = 0.5;

/** A text that shows nothing, for example a zero-width space. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** The parts of a text, or the piece that fits in none. */
export type Split = { readonly parts: readonly string[] } | { readonly tooLong: string };

/** A text as atoms. `offsets` are the start of each atom and the end of the last one. */
interface Pieces {
  readonly text: string;
  readonly atoms: readonly Atom[];
  readonly offsets: readonly number[];
  /** Offsets of the ends of sentences. */
  readonly sentenceEnds: ReadonlySet<number>;
}

/**
 * Splits a text into parts within the limit, at the ends of sentences, else between words.
 *
 * A word that is too long is cut between two characters. Links, and names that fit in a part, stay whole. The parts leave out the space
 * between them. A part that shows nothing is left out. If there are more than `most` parts, only the first of them and one more are returned.
 */
export function splitText(text: string, limit: TextLimit, { most = Infinity }: { readonly most?: number } = {}): Split {
  const whole = fitTest(limit);
  const atoms = atomsOf(text).flatMap((atom) => (atom.kind === 'name' && !whole(atom.text) ? signsOf(atom) : [atom]));
  const giant = atoms.find((atom) => !isBlank(atom) && !whole(atom.text));
  if (giant) return { tooLong: giant.text };
  const pieces = piecesOf(text, atoms);
  const [seen, unseen]: [string[], string[]] = [[], []];
  for (let from = afterBlanks(pieces, 0); from < atoms.length && seen.length <= most;) {
    const to = endOfPart(pieces, from, limit);
    const part = partOf(pieces, from, to);
    (UNSEEN.test(part) ? unseen : seen).push(part);
    from = afterBlanks(pieces, to);
  }
  return { parts: seen.length > 0 ? seen : unseen };
}

/** Whether an atom fits. A long text has most of its characters many times, and counting takes most of the time. */
function fitTest(limit: TextLimit): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const isFit = known.get(text) ?? fits(text, limit);
    known.set(text, isFit);
    return isFit;
  };
}

function piecesOf(text: string, atoms: readonly Atom[]): Pieces {
  const offsets = [0];
  for (const atom of atoms) offsets.push((offsets.at(-1) ?? 0) + atom.text.length);
  const sentenceEnds = new Set(Array.from(sentences.segment(text), ({ index, segment }) => index + segment.trimEnd().length));
  return { text, atoms, offsets, sentenceEnds };
}

function fits(text: string, { most, lengthOf }: TextLimit): boolean {
  return lengthOf(text) <= most;
}

function isBlank(atom: Atom | undefined): boolean {
  return atom?.text.trim() === '';
}

function afterBlanks({ atoms }: Pieces, from: number): number {
  let at = from;
  while (isBlank(atoms[at])) at++;
  return at;
}

/** The text from one atom to before another, without the space at its end. */
function partOf({ text, atoms, offsets }: Pieces, from: number, to: number): string {
  let end = to;
  while (end > from && isBlank(atoms[end - 1])) end--;
  return text.slice(offsets[from], offsets[end]);
}

/** The end of the part that begins at the atom `from`. It has at least one atom. */
function endOfPart(pieces: Pieces, from: number, limit: TextLimit): number {
  const { atoms, offsets, sentenceEnds } = pieces;
  // A longer text is hardly ever counted as shorter.
  const most = greatest(from + 1, atoms.length, (to) => fits(partOf(pieces, from, to), limit));
  if (most === atoms.length) return most;
  // Atoms after the end of a word.
  const breaks: number[] = [];
  for (let to = from + 1; to <= most; to++) if (isBlank(atoms[to]) && !isBlank(atoms[to - 1])) breaks.push(to);
  const last = breaks.findLast((to) => fits(partOf(pieces, from, to), limit));
  if (last === undefined) return most;
  const sentence = breaks.findLast((to) => to <= last && sentenceEnds.has(offsets[to] ?? 0));
  if (sentence === undefined) return last;
  const part = partOf(pieces, from, sentence);
  return fits(part, limit) && limit.lengthOf(part) >= limit.most * FULL_ENOUGH ? sentence : last;
}
