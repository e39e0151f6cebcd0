/** A stretch of a text that is a link or has none. */
export interface Run {
  readonly text: string;
  readonly link: boolean;
}

/**
 * No link continues here: a space, an invisible character, a typographic quotation mark or bracket, or punctuation of Chinese and Japanese.
 * Joiners can be in a path: some scripts and emoji have them, and escaping adds one.
 */
const END = String.raw`[\s<>\p{Pi}\p{Pf}…⋯、。，．：；！？｡､＂＇[[\p{Ps}\p{Pe}]--[\(\)\[\]\{\}]][\p{Cf}--[\u200C\u200D\u2060]]]`;
const LINK_END = new RegExp(END, 'v');
const LINK_START = new RegExp(String.raw`https?:\/\/(?!${END})(?=.)`, 'giv');
const AFTER_A_LINK = /["'\p{Terminal_Punctuation}]|\u200C|\u200D|\u2060/u;

/** Splits a text into the longest possible runs. Together they are the text. */
export function runsOf(text: string): readonly Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (const { index } of text.matchAll(LINK_START)) {
    // An address within a link is part of it. After the bracket that ends a link, another one can begin.
    if (index < from) continue;
    const link = linkAt(text, index);
    if (index > from) runs.push({ text: text.slice(from, index), link: false });
    runs.push({ text: link, link: true });
    from = index + link.length;
  }
  if (from < text.length) runs.push({ text: text.slice(from), link: false });
  return runs;
}

/** Maps the text between links. */
export function outsideLinks(text: string, change: (text: string) => string): string {
  return runsOf(text)
    .map((run) => (run.link ? run.text : change(run.text)))
    .join('');
}

/** The link at an offset. It ends where no link continues, before a closing bracket that it did not open, and before the punctuation of its sentence. */
export function linkAt(text: string, start: number): string {
  const closing: string[] = [];
  let end = start;
  for (; end < text.length; end++) {
    const char = text[end] ?? '';
    if (LINK_END.test(char)) break;
    if (char === '(') closing.push(')');
    if (char === '[') closing.push(']');
    if ((char === ')' || char === ']') && closing.pop() !== char) break;
  }
  while (AFTER_A_LINK.test(text[end - 1] ?? '')) end--;
  return text.slice(start, end);
}

const PROTOCOL = /^https?:\/\//iu;
const CUT = /(?:\.\.\.|…)$/u;

/** Whether a text is an address as apps show it: the complete host, usually without a protocol, and the beginning of its path. */
export function isCutAddress(shown: string, url: string): boolean {
  if (!CUT.test(shown) || !PROTOCOL.test(url)) return false;
  const begin = bareAddress(shown.replace(CUT, ''));
  const address = bareAddress(url);
  const [host = ''] = address.split(/[/?#]/u, 1);
  return address.startsWith(begin) && begin.length >= host.length;
}

/** Whether a text is a whole address without its protocol. */
export function isBareAddress(shown: string, url: string): boolean {
  return !PROTOCOL.test(shown) && PROTOCOL.test(url) && [bareAddress(shown), `${bareAddress(shown)}/`].includes(bareAddress(url));
}

function bareAddress(text: string): string {
  return text
    .replace(PROTOCOL, '')
    .replace(/^www\./iu, '')
    .toLowerCase();
}
