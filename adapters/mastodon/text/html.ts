import { type HtmlToken, htmlTokens } from '#src/http/media/pages/html-tokens.ts';
import { isCutAddress } from '#src/clients/operation/text/links.ts';
import type { Post } from '#src/clients/social/records/post.ts';

/** Builds a text with the line breaks of its HTML blocks. */
class TextBuilder {
  /** The text before the last piece. It is only appended to, because reading a growing string copies it. */
  #before = '';
  #piece = '';
  #breaks = 0;
  #isSpaced = false;
  #isLineBegun = false;

  /** Begins a piece; returns its offset. */
  begin(): number {
    this.#settle();
    this.#before += this.#piece;
    this.#piece = '';
    return this.#before.length;
  }

  /** The text since the last piece began. */
  get piece(): string {
    return this.#piece;
  }

  get text(): string {
    return this.#before + this.#piece;
  }

  /** Begins or ends a block: following text stands at least `lines` lines further down. */
  separate(lines: 1 | 2): void {
    if (this.#before !== '' || this.#piece !== '') this.#breaks = Math.max(this.#breaks, lines);
  }

  newLine(): void {
    this.#settle();
    this.#piece += '\n';
    this.#isLineBegun = false;
  }

  /** Adds text between tags. A line break of the source becomes a space, or nothing beside a break. */
  addFlowing(text: string): void {
    const atEdge = !this.#isLineBegun || this.#breaks > 0;
    const lined = atEdge ? text.replace(/^[ \t]*\n\s*/u, '') : text;
    const trimmed = lined.trimEnd();
    const isLined = lined.slice(trimmed.length).includes('\n');
    const flowing = (isLined ? trimmed : lined).replace(/\s+/gu, (gap) => (gap.includes('\n') ? ' ' : gap));
    if (flowing !== '') this.add(flowing);
    this.#isSpaced ||= isLined && (flowing !== '' || !atEdge);
  }

  /** Adds text unchanged. */
  add(text: string): void {
    this.#settle();
    this.#piece += text;
    this.#isLineBegun = true;
  }

  /** Replaces the text since the last piece began. */
  replace(text: string): void {
    this.#piece = text;
  }

  #settle(): void {
    if (this.#breaks > 0) this.#piece += '\n'.repeat(this.#breaks);
    else if (this.#isSpaced) this.#piece += ' ';
    this.#breaks = 0;
    this.#isSpaced = false;
  }
}

/** Elements with invisible content. */
const HIDDEN = new Set(['script', 'style', 'template', 'title']);

/** The visible tokens of a post, in order. */
function visibleTokens(html: string): readonly HtmlToken[] {
  let hidden: string | undefined;
  return htmlTokens(html).filter((token) => {
    if (hidden === undefined) {
      if (token.kind === 'open' && HIDDEN.has(token.name)) hidden = token.name;
      return hidden === undefined;
    }
    if (token.kind === 'close' && token.name === hidden) hidden = undefined;
    return false;
  });
}

type Entity = Post['entities'][number];
type Open = Extract<HtmlToken, { kind: 'open' }>;

/** A user whom a text mentions. */
interface Mentioned {
  readonly id: string;
  readonly username: string;
  /** The handle, with the domain of a remote account. */
  readonly acct: string;
  readonly url?: string | undefined;
}

/** The picture of a `:shortcode:`. */
interface CustomEmoji {
  readonly shortcode: string;
  readonly url?: string | undefined;
}

interface ReadHtmlOptions {
  readonly mentions?: readonly Mentioned[] | undefined;
  readonly emojis?: readonly CustomEmoji[] | undefined;
}

/** HTML as text. */
interface PlainText {
  readonly text: string;
  readonly entities: Entity[];
  /** The address of the fallback line that servers add to quotes. */
  readonly quoteUrl: string | undefined;
}

const PARAGRAPHS = new Set(['p', 'blockquote', 'ul', 'ol', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'hr']);
const LINES = new Set(['div', 'li', 'tr', 'section', 'article']);
/** The class of the line that servers put before a quote. */
const QUOTE_LINE = 'quote-inline';

/** The visible text of `html`, with its entities. */
export function readHtml(html: string, { mentions = [], emojis = [] }: ReadHtmlOptions = {}): PlainText {
  const builder = new TextBuilder();
  const entities: Entity[] = [];
  let link: { readonly open: Open; readonly start: number } | undefined;
  let quote: { readonly name: string; depth: number } | undefined;
  let quoteUrl: string | undefined;
  let literal = 0;

  for (const token of visibleTokens(html)) {
    if (quote) {
      if (token.kind === 'open' && token.name === 'a') quoteUrl ??= token.attributes.get('href');
      if (token.kind !== 'text' && token.name === quote.name) quote.depth += token.kind === 'open' ? 1 : -1;
      if (quote.depth === 0) quote = undefined;
    } else if (token.kind === 'text') {
      if (literal > 0) builder.add(token.text);
      else builder.addFlowing(token.text);
    } else if (token.kind === 'open' && classesOf(token).has(QUOTE_LINE)) {
      quote = { name: token.name, depth: 1 };
    } else if (token.name === 'br') {
      builder.newLine();
    } else if (token.name === 'a') {
      if (token.kind === 'open') link = { open: token, start: builder.begin() };
      else if (link) {
        entities.push(...close(link, { builder, mentions }));
        link = undefined;
      }
    } else {
      if (PARAGRAPHS.has(token.name)) builder.separate(2);
      else if (LINES.has(token.name)) builder.separate(1);
      if (token.name === 'pre') literal = Math.max(0, literal + (token.kind === 'open' ? 1 : -1));
      if (token.name === 'li' && token.kind === 'open') builder.add('- ');
    }
  }

  const { text } = builder;
  entities.push(...emojisIn(text, { emojis, taken: entities }));
  return { text, entities: entities.toSorted((a, b) => a.start - b.start), quoteUrl };
}

/** The visible text of `html`. */
export function textOfHtml(html: string): string {
  return readHtml(html).text.trim();
}

/** The entity of a link. A mention of a remote account gets its full handle, and a cut address becomes complete. */
function close(
  { open, start }: { readonly open: Open; readonly start: number },
  { builder, mentions }: { readonly builder: TextBuilder; readonly mentions: readonly Mentioned[] },
): readonly Entity[] {
  const url = open.attributes.get('href');
  const linkText = builder.piece;
  if (url === undefined || linkText.trim() === '') return [];
  const classes = classesOf(open);
  // Other servers and bridges cut long addresses.
  if (isCutAddress(linkText, url)) {
    builder.replace(url);
    return [{ type: 'url', start, end: start + url.length, url }];
  }
  const entity = { start, end: start + linkText.length, url };
  if (/^[#＃]/u.test(linkText)) return [{ type: 'hashtag', ...entity }];
  if (!/^[@＠]/u.test(linkText)) return [{ type: 'url', ...entity }];
  const name = linkText.slice(1).trim().toLowerCase();
  const person =
    mentions.find((mention) => mention.url === url) ??
    mentions.find(({ acct }) => acct.toLowerCase() === name) ??
    mentions.find(({ username }) => username.toLowerCase() === name);
  if (!person) return [{ type: classes.has('mention') ? 'mention' : 'url', ...entity }];
  const called = `@${person.acct}`;
  builder.replace(called);
  return [{ type: 'mention', start, end: start + called.length, url, userId: person.id }];
}

function emojisIn(
  text: string,
  { emojis, taken }: { readonly emojis: readonly CustomEmoji[]; readonly taken: readonly Entity[] },
): readonly Entity[] {
  const known = new Map(emojis.map(({ shortcode, url }) => [shortcode, url]));
  if (known.size === 0) return [];
  let next = 0;
  return Array.from(text.matchAll(/:([\w@.-]+):/gu)).flatMap(({ 0: { length }, 1: shortcode = '', index }): readonly Entity[] => {
    while ((taken[next]?.end ?? Infinity) <= index) next++;
    const isInside = (taken[next]?.start ?? Infinity) < index + length;
    if (!known.has(shortcode) || isInside) return [];
    return [{ type: 'emoji', start: index, end: index + length, url: known.get(shortcode) }];
  });
}

function classesOf({ attributes }: Open): ReadonlySet<string> {
  return new Set(attributes.get('class')?.split(/\s+/u));
}
