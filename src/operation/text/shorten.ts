import { atomsOf, type Atom } from './atoms.ts';
import { runsOf, type Run } from './links.ts';

const ELLIPSIS = '…';

type LengthOf = (text: string) => number;

/**
 * Text that is no longer than `max`: words go first and become `…`, links go last and whole, from the end.
 *
 * No word is cut within a mention, a tag, a host or an escape. A link that could not even stand alone becomes `…`, too; where nothing else
 * would be said, nothing is left.
 */
export function shorten(text: string, max: number, lengthOf: LengthOf = (one) => one.length): string {
  if (lengthOf(text) <= max) return text;
  const fits = (runs: readonly Run[]): boolean => lengthOf(textOf(runs)) <= max;
  const runs = [...withLinksThatFit(withoutGiants(runsOf(text), fits), fits)];
  if (runs.every((run) => !run.link && !isWords(run))) return '';
  const longestFirst = [...runs.entries()]
    .filter(([, run]) => isWords(run))
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

function isWords({ text, link }: Run): boolean {
  return !link && text.trim() !== '' && text.trim() !== ELLIPSIS;
}

function withoutGiants(runs: readonly Run[], fits: (runs: readonly Run[]) => boolean): readonly Run[] {
  const isGiant = (run: Run | undefined): boolean => run?.link === true && !fits([run]);
  return runs.map((run, index) => {
    if (isGiant(run)) return { text: ELLIPSIS, link: false };
    return isGiant(runs[index + 1]) ? { ...run, text: withoutGluedMark(run.text, index) } : run;
  });
}

/** As much from the beginning as fits at least without its words. */
function withLinksThatFit(runs: readonly Run[], fits: (runs: readonly Run[]) => boolean): readonly Run[] {
  const least = runs.map((run, index) => (isWords(run) ? cutAfter(run, [], besideOf(runs, index)) : run));
  let end = runs.length;
  while (end > 0 && !fits(closed(least, end))) end--;
  // The run that a link goes with says that something is missing.
  return closed(runs, end);
}

/** The first runs; what is left out is an ellipsis, behind words a part of them. */
function closed(runs: readonly Run[], end: number): readonly Run[] {
  if (end === runs.length) return runs;
  const kept = runs.slice(0, end);
  const last = kept.at(-1);
  if (!last) return [];
  if (last.link) return [...kept, { text: ` ${ELLIPSIS}`, link: false }];
  const left = withoutGluedMark(last.text, end - 1);
  const words = left.trimEnd();
  if (words.endsWith(ELLIPSIS)) return kept.with(-1, { text: words, link: false });
  return kept.with(-1, { text: `${words === '' ? left : `${words} `}${ELLIPSIS}`, link: false });
}

/** Whether a link stands right before or right behind a run. */
interface Beside {
  readonly before: boolean;
  readonly behind: boolean;
}

function besideOf(runs: readonly Run[], index: number): Beside {
  return { before: runs[index - 1]?.link ?? false, behind: runs[index + 1]?.link ?? false };
}

/** Takes from the end of the words until all fits, or nothing is left of them; the space around them stays. */
function cut(run: Run, beside: Beside, fits: (run: Run) => boolean): Run {
  const atoms = atomsOf(run.text.trim());
  let [low, high] = [0, atoms.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(cutAfter(run, atoms.slice(0, middle), beside))) low = middle + 1;
    else high = middle;
  }
  // A text that is longer is hardly ever counted as shorter.
  for (let kept = low - 1; kept > 0; kept--) {
    const shorter = cutAfter(run, atoms.slice(0, kept), beside);
    if (fits(shorter)) return shorter;
  }
  return cutAfter(run, [], beside);
}

function cutAfter({ text, link }: Run, atoms: readonly Atom[], { before, behind }: Beside): Run {
  const words = text.trim();
  const start = text.length - text.trimStart().length;
  const said = atoms.map((atom) => atom.text).join('');
  const last = atoms.findLast((atom) => atom.text.trim() !== '');
  // Behind a host, and behind the mere beginning of an address, the ellipsis would be read as its end.
  const isRead = (last?.kind === 'name' && !last.text.startsWith('\\')) || said.trimEnd().endsWith('://');
  const gap = isRead ? ' ' : '';
  const left = said.trimEnd() + gap;
  // Right behind a link the ellipsis would be read as its end, right before one a tag would go on into it.
  const isGlued = before && start === 0 && !/\s/u.test(left);
  const space = text.slice(start + words.length) || (behind ? ' ' : '');
  return { text: text.slice(0, start) + (isGlued ? ' ' : left) + ELLIPSIS + space, link };
}

/** `#tag` right before a link is one word with it; what is left of it without the link would be a tag that nobody wrote. */
function withoutGluedMark(text: string, index: number): string {
  let start = text.length;
  while (start > 0 && !/\s/u.test(text[start - 1] ?? '')) start--;
  if (!/[@＠#＃$]/u.test(text.slice(start))) return text;
  // Right behind a link nothing else would part it from what follows.
  return text.slice(0, start) || (index > 0 ? ' ' : '');
}
