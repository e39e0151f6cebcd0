import { graphemesOf } from './graphemes.ts';
import { runsOf } from './links.ts';

/** A piece of text that means something as a whole and nothing, or something else, in parts. */
export interface Atom {
  readonly text: string;
  /** `sign`: one character as a reader sees it; `name`: a mention, a tag, a host, an escape. */
  readonly kind: 'sign' | 'link' | 'name';
}

/** What stands right before a sign and keeps it from naming anybody, as in a mail address. */
const BEFORE = String.raw`[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{N}_.+\-]`;
const LEAD = String.raw`(?<!${BEFORE})${BEFORE}*`;

/** Cut short, each would name somebody or something else. */
const NAMES = new RegExp(
  [
    String.raw`<[@#:at][^<>\s]*>`, // as Discord writes mentions, channels, emoji and times
    String.raw`${LEAD}[@＠]\u2060?[\p{L}\p{M}\p{N}_.@\-]+`,
    String.raw`${LEAD}[#＃][^\s\\<>]+`,
    String.raw`(?<![\p{L}\p{N}$])\$[A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?(?![A-Za-z])`,
    // Links to who knows hosts without a protocol.
    String.raw`(?<![\p{L}\p{N}.\-])[\p{L}\p{N}][\p{L}\p{M}\p{N}\-]*(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}\-]*)+(?:[\/?:][^\s<>]*)?`,
    String.raw`\\[^\p{L}\p{N}\s]`,
  ].join('|'),
  'gv',
);

/** A text in what may not be cut; together the atoms are the text, and no character is in two of them. */
export function atomsOf(text: string): readonly Atom[] {
  return runsOf(text).flatMap((run): readonly Atom[] => (run.link ? [{ text: run.text, kind: 'link' }] : atomsOfWords(run.text)));
}

/** The characters of an atom, for where it is longer than anything may be. */
export function signsOf({ text }: Atom): readonly Atom[] {
  return Array.from(graphemesOf(text), (sign) => ({ text: sign, kind: 'sign' }));
}

function atomsOfWords(text: string): readonly Atom[] {
  const atoms: Atom[] = [];
  let name = '';
  let [start, end] = [0, 0];
  const names = text.matchAll(NAMES);
  const take = (): void => {
    const { 0: found, index } = names.next().value ?? { 0: '', index: Infinity };
    [start, end] = [index, index + found.length];
  };
  take();
  let at = 0;
  for (const sign of graphemesOf(text)) {
    // A character that a name only begins or ends in belongs to it as a whole.
    const isOfName = at + sign.length > start && at < end;
    at += sign.length;
    if (!isOfName) {
      atoms.push({ text: sign, kind: 'sign' });
      continue;
    }
    name += sign;
    if (at < end) continue;
    atoms.push({ text: name, kind: 'name' });
    name = '';
    while (start < at && end <= at) take();
  }
  return atoms;
}
