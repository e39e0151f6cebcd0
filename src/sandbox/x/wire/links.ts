import { createHash } from 'node:crypto';

/** Addresses with `http`, and those without it that end in one of the usual domains. */
const LINK =
  /(?<![\p{L}\p{N}@#$_.-])(?:https?:\/\/(?:[\p{L}\p{N}-]+\.)+[\p{L}]{2,}(?::\d+)?(?:[/?#][^\s<>"]*)?|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|org|net|io|tv|gg|co|app|dev|info|me|de|uk|jp|fr)(?![\p{L}\p{N}.-])(?:\/[^\s<>"]*)?)/giu;
const TRAILING = /[.,:;!?'"…]+$/u;
const SHOWN_LENGTH = 26;

/** A link in a text. */
export interface Link {
  readonly start: number;
  readonly end: number;
  /** As it was written. */
  readonly text: string;
  /** Where it leads. */
  readonly url: string;
}

/** The links in a text, in their order. */
export function linksIn(text: string): readonly Link[] {
  return [...text.matchAll(LINK)].map(({ 0: found, index }) => {
    const link = trimmed(found);
    return { start: index, end: index + link.length, text: link, url: /^https?:/i.test(link) ? link : `http://${link}` };
  });
}

/** The short address that X puts in the place of every link: 23 characters. */
export function shortened(url: string): string {
  const code = createHash('sha256')
    .update(url)
    .digest('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '');
  return `https://t.co/${code.slice(0, 10)}`;
}

/** A link as readers see it: without its beginning, and cut where it is long. */
export function shownLink(url: string): string {
  const bare = url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
  return bare.length <= SHOWN_LENGTH + 1 ? bare : `${bare.slice(0, SHOWN_LENGTH)}…`;
}

/** Without the punctuation of the sentence, and a bracket that it did not open. */
function trimmed(found: string): string {
  const link = found.replace(TRAILING, '');
  if (link.endsWith(')') && link.split(')').length > link.split('(').length) return trimmed(link.slice(0, -1));
  return link;
}
