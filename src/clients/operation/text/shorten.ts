import { atomsOf, type Atom } from './atoms.ts';
import { greatest } from './greatest.ts';
import { runsOf, type Run } from './links.ts';

const ELLIPSIS = '…';
/** The signs of mentions and tags. */
const NAME_SIGNS = /[@＠#＃$]/u;

type LengthOf = (text: string) => number;

/** A stretch of the text. A link may include the names that share a word with it. */
interface Piece extends Run {
  /** Whether a cut put a space between this piece and a link that followed it directly. */
  readonly detachesLink?: boolean;
}

/**
 * Shortens a text to at most `max`. Words at the end become `…` first; whole links go last, from the end.
 *
 * Mentions, tags, hosts and escapes stay whole. A link that does not fit alone becomes `…`. If only links were cut, the result is empty.
 */
export function shorten(text: string, max: number, lengthOf: LengthOf = (one) => one.length): string {
  if (lengthOf(text) <= max) return text;
  const fits = (runs: readonly Piece[]): boolean => lengthOf(textOf(runs)) <= max;
  const runs = [...withLinksThatFit(withoutGiants(piecesOf(text, fits), fits), fits)];
  if (runs.every((run) => !run.link && !isShortenable(run))) return '';
  const longestFirst = [...runs.entries()]
    .filter(([, run]) => isShortenable(run))
    .toSorted(([, a], [, b]) => lengthOf(b.text) - lengthOf(a.text));
  for (const [index, run] of longestFirst) {
    if (fits(runs)) break;
    runs[index] = cut(run, besideOf(runs, index), (one) => fits(runs.with(index, one)));
  }
  return fits(runs) ? textOf(runs) : '';
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }, index) => (isOpenLink(pieces, index) ? `${text} ` : text)).join('');
}

/** Whether text follows a detached link directly. Some platforms read a link up to the next space, once a space is before it. */
function isOpenLink(pieces: readonly Piece[], index: number): boolean {
  return pieces[index - 1]?.detachesLink === true && /^\S/u.test(pieces[index + 1]?.text ?? '');
}

/** The pieces of a text. A word with a link and a name is one piece, because some platforms read it as one name. */
function piecesOf(text: string, fits: (pieces: readonly Piece[]) => boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const word of text.split(/(\s+)/u)) {
    const runs = runsOf(word);
    const whole: Piece = { text: word, link: true };
    for (const run of hasLinkWithName(runs) && fits([whole]) ? [whole] : runs) {
      const last = pieces.at(-1);
      if (last && !last.link && !run.link) pieces[pieces.length - 1] = { text: last.text + run.text, link: false };
      else pieces.push(run);
    }
  }
  return pieces;
}

function hasLinkWithName(runs: readonly Run[]): boolean {
  return (
    runs.some(({ link }) => link) &&
    runs.some(({ text, link }, index) => !link && (NAME_SIGNS.test(text) || (runs[index + 1]?.link === true && endsInName(text))))
  );
}

function endsInName(text: string): boolean {
  const last = atomsOf(text).at(-1);
  return last?.kind === 'name' && !last.text.startsWith('\\');
}

function isShortenable({ text, link }: Piece): boolean {
  return !link && text.trim() !== '' && text.trim() !== ELLIPSIS;
}

function withoutGiants(runs: readonly Piece[], fits: (runs: readonly Piece[]) => boolean): readonly Piece[] {
  const isGiant = (run: Piece | undefined): boolean => run?.link === true && !fits([run]);
  return runs.map((run, index) => {
    if (isGiant(run)) return { text: ELLIPSIS, link: false };
    return isGiant(runs[index + 1]) ? { ...run, text: withoutGluedTag(run.text, index) } : run;
  });
}

/** The longest beginning that fits without its words. */
function withLinksThatFit(runs: readonly Piece[], fits: (runs: readonly Piece[]) => boolean): readonly Piece[] {
  const least = runs.map((run, index) => (isShortenable(run) ? cutAfter(run, [], besideOf(runs, index)) : run));
  const fitsTo = (end: number): boolean => fits(closed(least, end));
  // The whole text needs no ellipsis, so it may fit although a shorter one does not.
  const end = fitsTo(runs.length) ? runs.length : greatest(0, runs.length - 1, fitsTo);
  // The text before a removed link ends with an ellipsis.
  return closed(runs, end);
}

/** The first runs, with an ellipsis for the rest. */
function closed(runs: readonly Piece[], end: number): readonly Piece[] {
  if (end === runs.length) return runs;
  const kept = runs.slice(0, end);
  const last = kept.at(-1);
  if (!last) return [];
  if (last.link) return [...kept, { text: ` ${ELLIPSIS}`, link: false }];
  const left = withoutGluedTag(last.text, end - 1);
  const content = left.trimEnd();
  if (content.endsWith(ELLIPSIS)) return kept.with(-1, { text: content, link: false });
  return kept.with(-1, { text: `${content === '' ? left : `${content} `}${ELLIPSIS}`, link: false });
}

/** Whether a link stands directly before or behind a run. */
interface Beside {
  readonly before: boolean;
  readonly behind: boolean;
}

function besideOf(runs: readonly Piece[], index: number): Beside {
  return { before: runs[index - 1]?.link ?? false, behind: runs[index + 1]?.link ?? false };
}

/** Removes words from the end of a run until everything fits. The space around them stays. */
function cut(run: Piece, beside: Beside, fits: (run: Piece) => boolean): Piece {
  const atoms = atomsOf(run.text.trim());
  const cutTo = (kept: number): Piece => cutAfter(run, atoms.slice(0, kept), beside);
  // A longer text is hardly ever counted as shorter.
  return cutTo(greatest(0, atoms.length - 1, (kept) => fits(cutTo(kept))));
}

function cutAfter({ text, link }: Piece, atoms: readonly Atom[], { before, behind }: Beside): Piece {
  const content = text.trim();
  const start = text.length - text.trimStart().length;
  const cutText = atoms.map((atom) => atom.text).join('');
  const last = atoms.findLast((atom) => atom.text.trim() !== '');
  // Behind a host or the beginning of an address, the ellipsis would be part of it.
  const isRead = (last?.kind === 'name' && !last.text.startsWith('\\')) || cutText.trimEnd().endsWith('://');
  const gap = isRead ? ' ' : '';
  const left = cutText.trimEnd() + gap;
  // Directly behind a link, the ellipsis would be part of it. Directly before a link, a tag would continue into it.
  const isGlued = before && start === 0 && !/\s/u.test(left);
  const space = text.slice(start + content.length);
  const detachesLink = behind && space === '';
  return { text: text.slice(0, start) + (isGlued ? ' ' : left) + ELLIPSIS + (detachesLink ? ' ' : space), link, detachesLink };
}

/** Removes `#tag` directly before a removed link: the tag was part of the same word, and no one wrote it alone. */
function withoutGluedTag(text: string, index: number): string {
  let start = text.length;
  while (start > 0 && !/\s/u.test(text[start - 1] ?? '')) start--;
  if (!NAME_SIGNS.test(text.slice(start))) return text;
  // Directly behind a link, only a space separates it from the following text.
  return text.slice(0, start) || (index > 0 ? ' ' : '');
}
