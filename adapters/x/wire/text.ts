import { filledIn, objectIn, rowsIn } from '#src/http/values.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { countIn, idIn } from './parts.ts';

type Entity = Post['entities'][number];

/** A link of a text. */
export interface Link {
  readonly start: number | undefined;
  readonly url: string;
  readonly expanded_url: string | undefined;
  readonly display_url: string | undefined;
  readonly media_key: string | undefined;
}

function linkIn(wire: unknown): Link | undefined {
  const row = objectIn(wire);
  const url = filledIn(row?.['url']);
  if (!row || url === undefined) return undefined;
  return {
    start: countIn(row['start']),
    url,
    expanded_url: filledIn(row['expanded_url']),
    display_url: filledIn(row['display_url']),
    media_key: idIn(row['media_key']),
  };
}

interface Tag {
  readonly start: number | undefined;
  readonly tag: string;
}

function tagIn(wire: unknown): Tag | undefined {
  const row = objectIn(wire);
  const tag = filledIn(row?.['tag']);
  return row && tag !== undefined ? { start: countIn(row['start']), tag } : undefined;
}

interface Mention {
  readonly start: number | undefined;
  readonly username: string;
  readonly id: string | undefined;
}

function mentionIn(wire: unknown): Mention | undefined {
  const row = objectIn(wire);
  const username = filledIn(row?.['username']);
  return row && username !== undefined ? { start: countIn(row['start']), username, id: idIn(row['id']) } : undefined;
}

/** The entities of a text. */
export interface TextEntities {
  readonly urls: readonly Link[];
  readonly mentions: readonly Mention[];
  readonly hashtags: readonly Tag[];
  readonly cashtags: readonly Tag[];
}

/** The entities of a text; undefined if it has none. */
export function entitiesOf(wire: unknown): TextEntities | undefined {
  const found = objectIn(wire);
  return (
    found && {
      urls: rowsIn(found['urls'], linkIn),
      mentions: rowsIn(found['mentions'], mentionIn),
      hashtags: rowsIn(found['hashtags'], tagIn),
      cashtags: rowsIn(found['cashtags'], tagIn),
    }
  );
}

/** A part of the raw text, and its replacement. */
interface Piece {
  readonly type: Entity['type'];
  readonly start: number;
  /** The characters in the text of X. */
  readonly source: string;
  /** The text that replaces a link; undefined for a link to an attachment, which is removed. */
  readonly shown?: string | undefined;
  readonly entity: Omit<Entity, 'start' | 'end' | 'type'>;
}

/**
 * The text as it was written, with its entities.
 *
 * X escapes three characters, replaces links by short addresses, and appends one for media and for a quoted post. Entities are located by
 * their text, because the offsets of X count code points of a text that only some responses escape.
 */
export function toText(
  raw: string,
  found: TextEntities | undefined,
  attached: (link: Link) => boolean = isMedia,
): { readonly text: string; readonly entities: Entity[] } {
  const entities: Entity[] = [];
  if (!found) return { text: unescaped(raw), entities };
  // A change of case that changes the length would move the offsets.
  const lower = raw.toLowerCase();
  const isFolded = lower.length === raw.length;
  let text = '';
  let from = 0;
  for (const piece of piecesOf(found, attached)) {
    const source = isFolded ? piece.source.toLowerCase() : piece.source;
    const start = indexOfPiece(isFolded ? lower : raw, source, WIDE_SIGNS[piece.type], from);
    if (start < 0) continue;
    text += unescaped(raw.slice(from, start));
    from = start + piece.source.length;
    const shown = piece.type === 'url' ? piece.shown : raw.slice(start, from);
    if (shown === undefined) {
      text = text.trimEnd();
      continue;
    }
    const begin = text.length;
    text += shown;
    entities.push({ type: piece.type, start: begin, end: text.length, ...piece.entity });
  }
  return { text: text + unescaped(raw.slice(from)), entities };
}

function piecesOf({ urls, mentions, hashtags, cashtags }: TextEntities, attached: (link: Link) => boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const link of urls) {
    const url = link.expanded_url ?? link.url;
    pieces.push({ type: 'url', start: link.start ?? 0, source: link.url, shown: attached(link) ? undefined : url, entity: { url } });
  }
  for (const { start = 0, username, id: userId } of mentions) {
    pieces.push({ type: 'mention', start, source: `@${username}`, entity: { url: `https://x.com/${username}`, userId } });
  }
  for (const { start = 0, tag } of hashtags) pieces.push({ type: 'hashtag', start, source: `#${tag}`, entity: {} });
  for (const { start = 0, tag } of cashtags) pieces.push({ type: 'cashtag', start, source: `$${tag}`, entity: {} });
  return pieces.sort((a, b) => a.start - b.start);
}

/** The wide forms of signs. */
const WIDE_SIGNS: Readonly<Partial<Record<Entity['type'], string>>> = { mention: '＠', hashtag: '＃' };

/** The offset of a piece, which may have the wide form of its sign; -1 if there is none. */
function indexOfPiece(text: string, source: string, wideSign: string | undefined, from: number): number {
  const start = text.indexOf(source, from);
  const wide = wideSign === undefined ? -1 : text.indexOf(wideSign + source.slice(1), from);
  return start < 0 || (wide >= 0 && wide < start) ? wide : start;
}

/** Whether a link leads to a picture or a video of the post. */
export function isMedia({ media_key: key, display_url: shown, expanded_url: url }: Link): boolean {
  return key !== undefined || /^pic\.(x|twitter)\.com\//.test(shown ?? '') || /\/status\/\d+\/(photo|video)\/\d+$/.test(url ?? '');
}

/** The id of the post at an address. */
export function postIdIn(url: string): string | undefined {
  return /^(?:https?:\/\/)?(?:www\.|mobile\.)?(?:x|twitter)\.com\/(?:[^/]+|i\/web)\/status(?:es)?\/(\d{1,19})/i.exec(url)?.[1];
}

const ESCAPED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

function unescaped(text: string): string {
  return text.includes('&') ? text.replace(/&(?:amp|lt|gt);/g, (sign) => ESCAPED[sign] ?? sign) : text;
}
