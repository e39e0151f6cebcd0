import { htmlTokens } from './html-tokens.ts';

/** The title, description and picture that a page offers for links to it. */
export interface PageHead {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The address of the picture as the page writes it; it may be relative. */
  readonly image?: string | undefined;
}

/** The elements that give each value, in order of preference. */
const SOURCES: Readonly<Record<keyof PageHead, readonly string[]>> = {
  title: ['og:title', 'twitter:title', '<title>'],
  description: ['og:description', 'twitter:description', 'description'],
  image: ['og:image', 'og:image:secure_url', 'og:image:url', 'twitter:image', 'twitter:image:src'],
};
const KNOWN_KEYS = new Set(Object.values(SOURCES).flat());
/** A longer value is no title and no description. */
const MAX_CHARACTERS = 4_000;

/** Reads the head of a page. Of several elements with the same name, the first with a text counts. */
export function headOf(html: string): PageHead {
  const values = new Map<string, string>();
  const add = (key: string, value = ''): void => {
    const text = KNOWN_KEYS.has(key) && !values.has(key) ? toLine(value) : '';
    if (text !== '') values.set(key, text);
  };
  let title: string | undefined;
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') {
      if (title !== undefined) title += token.text;
    } else if (token.kind === 'close') {
      if (token.name === 'title') add('<title>', title);
      title = undefined;
    } else {
      title = token.name === 'title' ? '' : undefined;
      if (token.name !== 'meta') continue;
      for (const key of ['property', 'name']) add((token.attributes.get(key) ?? '').trim().toLowerCase(), token.attributes.get('content'));
    }
  }
  const first = (of: keyof PageHead): string | undefined => SOURCES[of].map((key) => values.get(key)).find((text) => text !== undefined);
  return { title: first('title'), description: first('description'), image: first('image') };
}

/** The text on one line, without control characters. */
function toLine(text: string): string {
  return text
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
