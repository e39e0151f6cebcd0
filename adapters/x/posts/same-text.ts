import { runsOf } from '#src/operation/text/links.ts';

/**
 * Whether two texts are one to X: it puts them into normal form, takes out what is not seen, and may show a link with another beginning or
 * ending than it was written with.
 */
export function isSameText(written: string, read: string): boolean {
  return keyOf(written) === keyOf(read);
}

function keyOf(text: string): string {
  return runsOf(text.normalize())
    .map(({ text: run, link }) => (link ? run.replace(/^https?:\/\//i, '').replace(/\/$/, '') : run))
    .join('')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/https?:\/\//gi, '')
    .replace(/\s+/gu, ' ')
    .trim();
}
