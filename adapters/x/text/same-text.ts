import { runsOf } from '#src/clients/operation/text/links.ts';

/**
 * Whether two texts are equal on X. X normalizes texts, removes invisible characters, and may show a link with another beginning or ending
 * than it was written with.
 */
export function isSameText(written: string, read: string): boolean {
  return textKey(written) === textKey(read);
}

/** A name at the beginning of a text. */
const ADDRESSEE = /^[@＠]\w{1,20}\s*/u;

/** Whether a reply has a text. X puts the names of the people whom a reply addresses before its text. */
export function isSameReply(written: string, read: string): boolean {
  return isSameText(written, withoutAddressees(written, read));
}

/** The text of a reply without the names that X put before the written text. */
export function withoutAddressees(written: string, read: string): string {
  let rest = read;
  while (!isSameText(written, rest)) {
    const shorter = rest.replace(ADDRESSEE, '');
    if (shorter === rest) return read;
    rest = shorter;
  }
  return rest;
}

/** Whether the white space inside two texts is the same. An edit may change only a line break. */
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
