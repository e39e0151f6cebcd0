import { countGraphemes } from '#src/clients/operation/text/characters.ts';

/** A part of a text. Together, the parts are the text. */
export type TextPart =
  | { readonly kind: 'text' | 'url' | 'hashtag'; readonly text: string }
  | { readonly kind: 'mention'; readonly text: string; readonly username: string; readonly domain: string | undefined };

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?`;
const HOST = String.raw`(?:(?:${LABEL}\.)+${LABEL}|localhost)(?::\d+)?`;
const IN_PATH = String.raw`[\p{L}\p{M}\p{N}!*';:=+,.$/%#[\]\-\u2013_~@|&]`;
/** Brackets belong to a URL only if both are in it, with one nested pair at most. */
const PATH = String.raw`\/(?:${IN_PATH}|\((?:${IN_PATH}|\(${IN_PATH}+\))+\))*`;
const QUERY = String.raw`\?[a-z0-9!?*'();:&=+$/%#[\]\-_.,~|@]*`;
const URL_PATTERN = new RegExp(
  String.raw`(?<![A-Za-z0-9@＠$#＃\u202A-\u202E])https?:\/\/${HOST}(?<path>${PATH})?(?<query>${QUERY})?`,
  'giu',
);
const PATH_END = /[\p{L}\p{N}=_#/+\-)]$/u;
const QUERY_END = /[a-z0-9\-_&=#/]$/i;

const WORD = String.raw`\p{L}\p{M}\p{N}_`;
const MENTION = String.raw`(?<![=/${WORD}@])@(?<username>[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)(?:@(?<domain>[${WORD}]+(?:[.-]+[${WORD}]+)*(?::\d+)?))?`;
const HASHTAG = String.raw`(?<![=/)${WORD}#])#(?<tag>[${WORD}]*[\p{L}\p{M}_][${WORD}]*)`;
const ENTITY = new RegExp(`${MENTION}|${HASHTAG}`, 'giu');

/** Splits a text as Mastodon does. The implementation is independent of Fanfare, so that tests can compare the two. */
export function partsOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index, groups: { path = '', query = '' } = {} } of text.matchAll(URL_PATTERN)) {
    const host = found.slice(0, found.length - path.length - query.length);
    const trimmedPath = trimmed(path, PATH_END);
    // A query belongs to the URL only if it follows the whole path.
    const url = host + trimmedPath + (trimmedPath === path ? trimmed(query, QUERY_END) : '');
    parts.push(...entitiesIn(text.slice(from, index)), { kind: 'url', text: url });
    from = index + url.length;
  }
  return [...parts, ...entitiesIn(text.slice(from))];
}

/** The characters that end a sentence do not belong to a URL. */
function trimmed(part: string, end: RegExp): string {
  let length = part.length;
  while (length > 0 && !end.test(part.slice(0, length))) length--;
  return part.slice(0, length);
}

function entitiesIn(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index, groups: { username, domain } = {} } of text.matchAll(ENTITY)) {
    if (index > from) parts.push({ kind: 'text', text: text.slice(from, index) });
    parts.push(username === undefined ? { kind: 'hashtag', text: found } : { kind: 'mention', text: found, username, domain });
    from = index + found.length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

/** The characters that each URL counts. */
export const CHARACTERS_PER_URL = 23;

/** The length of a post for Mastodon: graphemes of the warning and the text, without the servers in mentions. */
export function lengthOf({ text, spoilerText }: { readonly text: string; readonly spoilerText: string }): number {
  const counted = partsOf(text).map((part) => {
    if (part.kind === 'url') return 'x'.repeat(CHARACTERS_PER_URL);
    return part.kind === 'mention' ? `@${part.username}` : part.text;
  });
  return countGraphemes(spoilerText + counted.join(''));
}

const URL_PREFIX = /^https?:\/\/(www\.)?/;
const SHOWN_OF_URL = 30;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The targets of the links in a text. */
export interface Links {
  tag(name: string): string;
  /** Undefined if the server does not know the account. The mention stays text. */
  person(mention: {
    readonly username: string;
    readonly domain: string | undefined;
  }): { readonly url: string; readonly username: string } | undefined;
}

/** A text as HTML of Mastodon: paragraphs, line breaks, and links for URLs, mentions and hashtags. */
export function toHtml(text: string, links: Links): string {
  const normalized = text.replaceAll(/\r\n?/g, '\n');
  if (normalized.trim() === '') return '';
  const html = partsOf(normalized)
    .map((part) => partHtml(part, links))
    .join('');
  return html
    .split(/\n\n+/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />')}</p>`)
    .join('');
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A link that shows the beginning of its URL. */
export function urlHtml(url: string): string {
  const prefix = URL_PREFIX.exec(url)?.[0] ?? '';
  const rest = url.slice(prefix.length);
  const [shown, hidden] = [rest.slice(0, SHOWN_OF_URL), rest.slice(SHOWN_OF_URL)];
  return (
    `<a href="${escapeHtml(url)}" target="_blank" rel="nofollow noopener noreferrer" translate="no">` +
    `<span class="invisible">${escapeHtml(prefix)}</span><span class="${hidden === '' ? '' : 'ellipsis'}">${escapeHtml(shown)}</span>` +
    `<span class="invisible">${escapeHtml(hidden)}</span></a>`
  );
}

function partHtml(part: TextPart, links: Links): string {
  if (part.kind === 'mention') {
    const person = links.person(part);
    if (!person) return escapeHtml(part.text);
    return `<span class="h-card" translate="no"><a href="${escapeHtml(person.url)}" class="u-url mention">@<span>${escapeHtml(person.username)}</span></a></span>`;
  }
  if (part.kind === 'hashtag') {
    const name = part.text.slice(1);
    return `<a href="${escapeHtml(links.tag(name))}" class="mention hashtag" rel="tag">#<span>${escapeHtml(name)}</span></a>`;
  }
  return part.kind === 'url' ? urlHtml(part.text) : escapeHtml(part.text);
}
