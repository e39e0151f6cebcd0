import { atomsOf, type Atom } from './atoms.ts';
import { runsOf, type Run } from './links.ts';

const ELLIPSIS = '…';

type LengthOf = (text: string) => number;

/**
 * Shortens a text to at most `max`. Words at the end become `…` first; whole links go last, from the end.
 *
 * Mentions, tags, hosts and escapes stay whole. A link that does not fit alone becomes `…`. If only links were cut, the result is empty.
 */
export function shorten(text: string, max: number, lengthOf: LengthOf = (one) => one.length): string {
  if (lengthOf(text) <= max) return text;
  const fits = (runs: readonly Run[]): boolean => lengthOf(textOf(runs)) <= max;
  const runs = [...withLinksThatFit(withoutGiants(runsOf(text), fits), fits)];
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

function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

function isShortenable({ text, link }: Run): boolean {
  return !link && text.trim() !== '' && text.trim() !== ELLIPSIS;
}

function withoutGiants(runs: readonly Run[], fits: (runs: readonly Run[]) => boolean): readonly Run[] {
  const isGiant = (run: Run | undefined): boolean => run?.link === true && !fits([run]);
  return runs.map((run, index) => {
    if (isGiant(run)) return { text: ELLIPSIS, link: false };
    return isGiant(runs[index + 1]) ? { ...run, text: withoutGluedTag(run.text, index) } : run;
  });
}

/** The longest beginning that fits without its words. */
function withLinksThatFit(runs: readonly Run[], fits: (runs: readonly Run[]) => boolean): readonly Run[] {
  const least = runs.map((run, index) => (isShortenable(run) ? cutAfter(run, [], besideOf(runs, index)) : run));
  let end = runs.length;
  while (end > 0 && !fits(closed(least, end))) end--;
  // The text before a removed link ends with an ellipsis.
  return closed(runs, end);
}

/** The first runs, with an ellipsis for the rest. */
function closed(runs: readonly Run[], end: number): readonly Run[] {
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

function besideOf(runs: readonly Run[], index: number): Beside {
  return { before: runs[index - 1]?.link ?? false, behind: runs[index + 1]?.link ?? false };
}

/** Removes words from the end of a run until everything fits. The space around them stays. */
function cut(run: Run, beside: Beside, fits: (run: Run) => boolean): Run {
  const atoms = atomsOf(run.text.trim());
  let [low, high] = [0, atoms.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(cutAfter(run, atoms.slice(0, middle), beside))) low = middle + 1;
    else high = middle;
  }
  // A longer text is hardly ever counted as shorter.
  for (let kept = low - 1; kept > 0; kept--) {
    const shorter = cutAfter(run, atoms.slice(0, kept), beside);
    if (fits(shorter)) return shorter;
  }
  return cutAfter(run, [], beside);
}

function cutAfter({ text, link }: Run, atoms: readonly Atom[], { before, behind }: Beside): Run {
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
  const space = text.slice(start + content.length) || (behind ? ' ' : '');
  return { text: text.slice(0, start) + (isGlued ? ' ' : left) + ELLIPSIS + space, link };
}

/** Removes `#tag` directly before a removed link: the tag was part of the same word, and no one wrote it alone. */
function withoutGluedTag(text: string, index: number): string {
  let start = text.length;
  while (start > 0 && !/\s/u.test(text[start - 1] ?? '')) start--;
  if (!/[@＠#＃$]/u.test(text.slice(start))) return text;
  // Directly behind a link, only a space separates it from the following text.
  return text.slice(0, start) || (index > 0 ? ' ' : '');
}
