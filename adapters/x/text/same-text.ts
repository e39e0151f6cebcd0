import { runsOf } from '#src/operation/text/links.ts';

/**
 * Whether two texts are one to X: it puts them into normal form, takes out what is not seen, and may show a link with another beginning or
 * ending than it was written with.
 */
export function isSameText(written: string, read: string): boolean {
  return textKey(written) === textKey(read);
}

/** Whether the white space in two texts, but not around them, is the same: an edit may be about no more than a line break. */
export function isSameSpacing(written: string, read: string): boolean {
  return spacingOf(written) === spacingOf(read);
}

function spacingOf(text: string): string {
  return Array.from(text.replaceAll('\r\n', '\n').trim().matchAll(/\s+/gu), ([space]) => space).join('|');
}

function textKey(text: string): string {
  return runsOf(text.normalize())
    .map(({ text: run, link }) => (link ? run.replace(/^https?:\/\//i, '').replace(/\/$/, '') : run))
    .join('')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/https?:\/\//gi, '')
    .replace(/\s+/gu, ' ')
    .trim();
}
