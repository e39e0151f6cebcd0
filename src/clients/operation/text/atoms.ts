import { graphemesOf } from './characters.ts';
import { runsOf } from './links.ts';

/** A piece of text that loses or changes its meaning if it is cut. */
export interface Atom {
  readonly text: string;
  /** `sign`: one visible character. `name`: a mention, a tag, a host or an escape. */
  readonly kind: 'sign' | 'link' | 'name';
}

/** Characters before a sign that keep it from being a mention, for example in a mail address. */
const BEFORE = String.raw`[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{N}_.+\-]`;
const LEAD = String.raw`(?<!${BEFORE})${BEFORE}*`;

/** Names that change their meaning if they are cut. */
const NAMES = new RegExp(
  [
    String.raw`<[@#:at][^<>\s]*>`, // as Discord writes mentions, channels, emoji and times
    String.raw`${LEAD}[@＠]\u2060?[\p{L}\p{M}\p{N}_.@\-]+`,
    String.raw`${LEAD}[#＃][^\s\\<>]+`,
    // X reads a tag only before a space or one of these signs: without the rest of its word, the beginning would be one.
    String.raw`(?<![\p{L}\p{N}$])\$[A-Za-z]+(?:[._](?=[A-Za-z]))?[^\s!'#%&\(\)*+,\\\-.\/:;<=>?@\[\]\^_\{\|\}~$]*`,
    // A host without a protocol is a link on some platforms. It begins behind no mark: each letter of a long word would be searched to its end.
    String.raw`(?<![\p{L}\p{M}\p{N}.\-])[\p{L}\p{N}][\p{L}\p{M}\p{N}\-]*(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}\-]*)+(?:[\/?:][^\s<>]*)?`,
    String.raw`\\[^\p{L}\p{N}\s]`,
  ].join('|'),
  'gv',
);

/** Splits a text into pieces that must not be cut. Together they are the text. */
export function atomsOf(text: string): readonly Atom[] {
  return runsOf(text).flatMap((run): readonly Atom[] => (run.link ? [{ text: run.text, kind: 'link' }] : atomsOfText(run.text)));
}

/** The characters of an atom that is too long for any part. */
export function signsOf({ text }: Atom): readonly Atom[] {
  return Array.from(graphemesOf(text), (sign) => ({ text: sign, kind: 'sign' }));
}

function atomsOfText(text: string): readonly Atom[] {
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
    // A character that overlaps a name belongs to the name.
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
