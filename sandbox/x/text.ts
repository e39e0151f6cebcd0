import { createHash } from 'node:crypto';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { graphemesOf } from '#src/clients/operation/text/characters.ts';
import type { People } from '../social/people.ts';
import { findByUsername, userId } from './ids.ts';

/** URLs with `http`, and addresses without it in a common domain. */
const LINK =
  /(?<![\p{L}\p{N}@#$_.-])(?:https?:\/\/(?:[\p{L}\p{N}-]+\.)+[\p{L}]{2,}(?::\d+)?(?:[/?#][^\s<>"]*)?|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|org|net|io|tv|gg|co|app|dev|info|me|de|uk|jp|fr)(?![\p{L}\p{N}.-])(?:\/[^\s<>"]*)?)/giu;
const TRAILING = /[.,:;!?'"…]+$/u;
const SHOWN_LENGTH = 26;

/** A link in a text. `url` is its target. */
interface Link {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

function linksIn(text: string): readonly Link[] {
  return [...text.matchAll(LINK)].map(({ 0: found, index }) => {
    const link = trimmed(found);
    return { start: index, end: index + link.length, url: /^https?:/i.test(link) ? link : `http://${link}` };
  });
}

/** The short URL that replaces each link. It has 23 characters. */
function shortened(url: string): string {
  const code = createHash('sha256')
    .update(url)
    .digest('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '');
  return `https://t.co/${code.slice(0, 10)}`;
}

/** The text of a link, without its prefix and cut. */
function shownLink(url: string): string {
  const bare = url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
  return bare.length <= SHOWN_LENGTH + 1 ? bare : `${bare.slice(0, SHOWN_LENGTH)}…`;
}

/** Removes punctuation and an unbalanced bracket from the end of a link. */
function trimmed(found: string): string {
  const link = found.replace(TRAILING, '');
  if (link.endsWith(')') && link.split(')').length > link.split('(').length) return trimmed(link.slice(0, -1));
  return link;
}

const LINK_WEIGHT = 23;
const EMOJI_WEIGHT = 2;
const EMOJI = /^\p{RGI_Emoji}$/v;
/** The code points with weight 1. All others have weight 2. */
const LIGHT: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];

/** The weighted length of a text. A link counts 23, an emoji 2, and other characters 1 or 2. */
export function weightOf(original: string): number {
  const text = original.normalize('NFC');
  let weight = 0;
  let from = 0;
  for (const { start, end } of linksIn(text)) {
    weight += weightOfText(text.slice(from, start)) + LINK_WEIGHT;
    from = end;
  }
  return weight + weightOfText(text.slice(from));
}

function weightOfText(text: string): number {
  let weight = 0;
  for (const grapheme of graphemesOf(text)) weight += EMOJI.test(grapheme) ? EMOJI_WEIGHT : weightOfCharacters(grapheme);
  return weight;
}

function weightOfCharacters(text: string): number {
  let weight = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    weight += LIGHT.some(([first, last]) => code >= first && code <= last) ? 1 : 2;
  }
  return weight;
}

/** A hashtag, a mention or a cashtag outside a word. */
const ENTITY =
  /(?<![\p{L}\p{N}_&])(?:#(?<hashtag>[\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*)|@(?<username>[A-Za-z0-9_]{1,20})|\$(?<cashtag>[A-Za-z]{1,6})\b)/gu;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A link to a quoted post or a file that X adds to a text. */
export interface Appended {
  readonly url: string;
  readonly shown: string;
  readonly mediaKey?: string | undefined;
}

/** A text as X sends it: escaped, with short links. Positions count code points. */
export interface WireText {
  readonly text: string;
  readonly entities: JsonObject | undefined;
  /** The part without the added links. */
  readonly range: readonly [number, number];
}

type Position = { readonly start: number; readonly end: number };

export function wireText(original: string, people: People, appended: readonly Appended[] = []): WireText {
  const urls: JsonObject[] = [];
  const entities: { readonly name: 'hashtags' | 'mentions' | 'cashtags'; readonly entity: JsonObject }[] = [];
  let text = '';
  let length = 0;

  function add(part: string): Position {
    const start = length;
    text += part;
    length += Array.from(part).length;
    return { start, end: length };
  }

  function addText(part: string): void {
    let from = 0;
    for (const { 0: found, index, groups: { hashtag, username, cashtag } = {} } of part.matchAll(ENTITY)) {
      add(escaped(part.slice(from, index)));
      const position = add(escaped(found));
      const person = username === undefined ? undefined : findByUsername(username, people);
      if (hashtag !== undefined) entities.push({ name: 'hashtags', entity: { ...position, tag: hashtag } });
      else if (cashtag !== undefined) entities.push({ name: 'cashtags', entity: { ...position, tag: cashtag } });
      else entities.push({ name: 'mentions', entity: { ...position, username, id: person && userId(person) } });
      from = index + found.length;
    }
    add(escaped(part.slice(from)));
  }

  let from = 0;
  for (const { start, end, url } of linksIn(original)) {
    addText(original.slice(from, start));
    const short = shortened(url);
    urls.push({ ...add(short), url: short, expanded_url: url, display_url: shownLink(url) });
    from = end;
  }
  addText(original.slice(from));
  const shownEnd = length;
  for (const { url, shown, mediaKey } of appended) {
    if (length > 0) add(' ');
    const short = shortened(url);
    urls.push({ ...add(short), url: short, expanded_url: url, display_url: shown, media_key: mediaKey });
  }

  const groups = Object.groupBy(entities, ({ name }) => name);
  const lists = Object.fromEntries(Object.entries(groups).map(([name, found]) => [name, found.map(({ entity }) => entity)]));
  const all = { ...lists, ...(urls.length > 0 ? { urls } : {}) };
  return { text, entities: Object.keys(all).length > 0 ? all : undefined, range: [0, shownEnd] };
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (char) => ESCAPES[char] ?? char);
}
