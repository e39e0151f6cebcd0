/** A stretch of text that is a link or has none. */
export interface Run {
  readonly text: string;
  readonly link: boolean;
}

const LINK = /https?:\/\/[^\s<>]+/giu;
const AFTER_A_LINK = new Set('.,:;!?"\'');

/** Splits a text into the longest possible runs. Together they are the text. */
export function runsOf(text: string): readonly Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const link = trimLink(found);
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

/** A link ends before a closing bracket that it did not open, and before the punctuation of its sentence. */
export function trimLink(found: string): string {
  const closing: string[] = [];
  let end = found.length;
  for (let at = 0; at < end; at++) {
    const char = found[at];
    if (char === '(') closing.push(')');
    if (char === '[') closing.push(']');
    if ((char === ')' || char === ']') && closing.pop() !== char) end = at;
  }
  while (AFTER_A_LINK.has(found[end - 1] ?? '')) end--;
  return found.slice(0, end);
}
