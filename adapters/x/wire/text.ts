import { filledIn, objectIn, rowsIn } from '#src/http/values.ts';
import type { Post } from '#src/social/records/post.ts';
import { countIn, idIn } from './parts.ts';

type Entity = Post['entities'][number];

/** A link of a text. */
interface Link {
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
): { readonly text: string; readonly entities: readonly Entity[] } {
  const entities: Entity[] = [];
  let text = '';
  let from = 0;
  for (const piece of piecesOf(found, attached)) {
    const start = indexOfPiece(raw, piece, from);
    if (start === undefined) continue;
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

function piecesOf(found: TextEntities | undefined, attached: (link: Link) => boolean): readonly Piece[] {
  if (!found) return [];
  const { urls, mentions, hashtags, cashtags } = found;
  const tags = (type: 'hashtag' | 'cashtag', sign: string, rows: TextEntities['hashtags']): readonly Piece[] =>
    rows.map(({ start = 0, tag }) => ({ type, start, source: sign + tag, entity: {} }));
  return [
    ...urls.map((link): Piece => {
      const url = link.expanded_url ?? link.url;
      return { type: 'url', start: link.start ?? 0, source: link.url, shown: attached(link) ? undefined : url, entity: { url } };
    }),
    ...mentions.map(({ start = 0, username, id: userId }): Piece => {
      const entity = { url: `https://x.com/${username}`, userId };
      return { type: 'mention', start, source: `@${username}`, entity };
    }),
    ...tags('hashtag', '#', hashtags),
    ...tags('cashtag', '$', cashtags),
  ].toSorted((a, b) => a.start - b.start);
}

/** The offset of a piece. It may differ in case or have the wide form of its sign. */
function indexOfPiece(raw: string, { source, type }: Piece, from: number): number | undefined {
  const folded = raw.toLowerCase().length === raw.length ? raw.toLowerCase() : raw;
  const wanted = folded === raw ? source : source.toLowerCase();
  const forms = type === 'mention' ? [wanted, `＠${wanted.slice(1)}`] : type === 'hashtag' ? [wanted, `＃${wanted.slice(1)}`] : [wanted];
  const positions = forms.map((form) => folded.indexOf(form, from)).filter((position) => position >= 0);
  return positions.length > 0 ? Math.min(...positions) : undefined;
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
  return text.replace(/&(?:amp|lt|gt);/g, (sign) => ESCAPED[sign] ?? sign);
}
