import { decodeHTMLStrict } from 'entities';
import type { Post } from '#src/clients/social/records/post.ts';

/** A host in the mention of an account, which servers show or hide. The sign at the end of a sentence is no part of it. */
const HOST_OF_MENTION = /(@\w+(?:[.-]+\w+)*)@[\p{L}\p{N}]+(?:[.-]+[\p{L}\p{N}]+)*/gu;
/** A protocol, which servers show or hide. */
const PROTOCOL = /\bhttps?:\/\/(?:www\.)?/giu;
const LINK = /\bhttps?:\/\/\S*/giu;
/** The end of a link that is shown in part. */
const CUT = /(?:…|\.\.\.)$/u;
/** A picture by its name. Some servers show the picture instead. */
const SHORTCODE = /:\w+:/gu;

/** A text in a form that is equal before and after a server shows it. */
export function comparable(text: string): string {
  return lowered(text).replace(HOST_OF_MENTION, '$1').replace(PROTOCOL, '').replace(/\s+/gu, '');
}

/** The letters and digits of a text outside its links, hosts and names of pictures: no server changes them. */
export function alphanumericsOf(text: string): string {
  return lowered(text)
    .replace(LINK, '')
    .replace(HOST_OF_MENTION, '$1')
    .replace(SHORTCODE, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** A shown text with its links in full, because some servers cut them. */
export function withWholeLinks({ text, entities }: Pick<Post, 'text' | 'entities'>): string {
  return entities.toReversed().reduce((whole, { type, start, end, url }) => {
    const shown = text.slice(start, end);
    const beginning = shown.replace(CUT, '').replace(PROTOCOL, '');
    const isCut = type === 'url' && CUT.test(shown) && url?.replace(PROTOCOL, '').startsWith(beginning);
    return isCut ? whole.slice(0, start) + url + whole.slice(end) : whole;
  }, text);
}

/** Some servers escape a text twice in the history of a status. */
function lowered(text: string): string {
  return decodeHTMLStrict(text).normalize('NFC').toLowerCase();
}
