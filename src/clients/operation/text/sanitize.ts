import { outsideLinks } from './links.ts';

/** Control characters except the line break and the tab, and characters that change the direction of the following text. */
const UNSEEN = /[\p{Cc}--[\n\t]]|[\u202A-\u202E\u2066-\u2069\uFEFF]/gv;

/** More than three combining characters on one letter cover the lines above and below. */
const TOWER = /([\p{Script=Inherited}&&\p{M}]{3})[\p{Script=Inherited}&&\p{M}]+/gv;

/** Removes invisible characters with an effect from untrusted text, so that it cannot move, hide, cover or reverse the text around it. */
export function neutral(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/gu, '\n')
    .replace(UNSEEN, '')
    .replace(TOWER, '$1');
}

/** Removes markup and mentions from a text. Links stay. */
export function plain(text: string): string {
  const bare = text.replace(/\[([^\][\n]{1,500})\]\((https?:\/\/[^()\s]{1,2000})\)/giu, '$1 $2');
  return outsideLinks(bare, (run) =>
    run
      .replace(/<(?:@[!&]?|#)\d{1,25}>/gu, '')
      .replace(/<a?(:\w{1,40}:)\d{1,25}>/gu, '$1')
      .replace(/\*+|~~+|`+|\|\|+|__+/gu, '')
      .replace(/(?<![\p{L}\p{N}_])_([^_\n]{1,500})_(?![\p{L}\p{N}_])/gu, '$1')
      .replace(/^[ \t]*(?:#{1,6}[ \t]|>+[ \t]?|-#[ \t])/gmu, '')
      .replace(/[@＠](?=[\p{L}\p{N}_])/gu, ''),
  );
}
