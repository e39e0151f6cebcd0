import type { JsonObject } from '#src/operation/json.ts';
import type { People } from '../../social/people.ts';
import { findByUsername, userId } from '../ids/user-ids.ts';
import { linksIn, shortened, shownLink } from './links.ts';

/** A hashtag, a name or a symbol of a stock, none of them inside a word. */
const ENTITY =
  /(?<![\p{L}\p{N}_&])(?:#(?<hashtag>[\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*)|@(?<username>[A-Za-z0-9_]{1,20})|\$(?<cashtag>[A-Za-z]{1,6})\b)/gu;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** An address that X adds to a text: of what is quoted, or of what is attached. */
export interface Appended {
  readonly url: string;
  readonly shown: string;
  readonly mediaKey?: string | undefined;
}

/** A text as X hands it out: escaped, every link short; positions are counted in code points of that text. */
export interface WireText {
  readonly text: string;
  readonly entities: JsonObject | undefined;
  /** What of it is shown: the rest are addresses that X has added. */
  readonly range: readonly [number, number];
}

type Position = { readonly start: number; readonly end: number };

/** What a text becomes on its way out. */
export function wireText(
  given: string,
  { people, appended = [] }: { readonly people: People; readonly appended?: readonly Appended[] },
): WireText {
  const urls: JsonObject[] = [];
  const words: { readonly name: 'hashtags' | 'mentions' | 'cashtags'; readonly entity: JsonObject }[] = [];
  let text = '';
  let length = 0;

  function add(part: string): Position {
    const start = length;
    text += part;
    length += Array.from(part).length;
    return { start, end: length };
  }

  function addWords(part: string): void {
    let from = 0;
    for (const { 0: found, index, groups: { hashtag, username, cashtag } = {} } of part.matchAll(ENTITY)) {
      add(escaped(part.slice(from, index)));
      const position = add(escaped(found));
      const person = username === undefined ? undefined : findByUsername(username, people);
      if (hashtag !== undefined) words.push({ name: 'hashtags', entity: { ...position, tag: hashtag } });
      else if (cashtag !== undefined) words.push({ name: 'cashtags', entity: { ...position, tag: cashtag } });
      else words.push({ name: 'mentions', entity: { ...position, username, id: person && userId(person) } });
      from = index + found.length;
    }
    add(escaped(part.slice(from)));
  }

  let from = 0;
  for (const { start, end, url } of linksIn(given)) {
    addWords(given.slice(from, start));
    const short = shortened(url);
    urls.push({ ...add(short), url: short, expanded_url: url, display_url: shownLink(url) });
    from = end;
  }
  addWords(given.slice(from));
  const shownEnd = length;
  for (const { url, shown, mediaKey } of appended) {
    if (length > 0) add(' ');
    const short = shortened(url);
    urls.push({ ...add(short), url: short, expanded_url: url, display_url: shown, media_key: mediaKey });
  }

  const groups = Object.groupBy(words, ({ name }) => name);
  const lists = Object.fromEntries(Object.entries(groups).map(([name, found]) => [name, found.map(({ entity }) => entity)]));
  const entities = { ...lists, ...(urls.length > 0 ? { urls } : {}) };
  return { text, entities: Object.keys(entities).length > 0 ? entities : undefined, range: [0, shownEnd] };
}

/** The characters that X writes as HTML does. */
function escaped(text: string): string {
  return text.replace(/[&<>]/g, (char) => ESCAPES[char] ?? char);
}
