import { decodeHTML } from 'entities';
import { htmlTokens } from '#src/http/media/pages/html-tokens.ts';

/** Elements with invisible content. */
const HIDDEN = new Set(['script', 'style', 'template', 'title', 'head']);
/** Elements that begin a new line. */
const LINES = new Set(['p', 'div', 'br', 'li', 'tr', 'blockquote', 'ul', 'ol', 'pre', 'table', 'hr', 'section', 'article', 'figure']);
/** Markup that titles contain. Other text between angle brackets can be a part of the title. */
const TITLE_MARKUP = /<\/?(?:a|b|br|code|em|i|small|span|strong|sub|sup|u)(?:\s[^<>]*)?\/?>/giu;
/** The longest content whose text is read. */
const MOST_HTML = 100_000;

/** The longest side of an emoji in pixels. */
const LARGEST_ICON = 32;

/** The visible text of HTML, at most `most` characters long. */
export function plainText(html: string, most: number): string {
  let hidden: string | undefined;
  let text = '';
  for (const token of htmlTokens(html.slice(0, MOST_HTML))) {
    if (hidden !== undefined) {
      if (token.kind === 'close' && token.name === hidden) hidden = undefined;
    } else if (token.kind === 'text') text += token.text.replaceAll(/\s+/gu, ' ');
    else if (token.kind === 'open' && HIDDEN.has(token.name)) hidden = token.name;
    else if (LINES.has(token.name) || /^h[1-6]$/u.test(token.name)) text += '\n';
  }
  const lines = text.split('\n').map((line) => line.trim());
  return cut(
    lines
      .filter((line) => line !== '')
      .join('\n')
      .toWellFormed(),
    most,
  );
}

/** A title in one line. Many feeds escape it twice. */
export function plainTitle(title: string): string {
  return decodeHTML(title.replaceAll(TITLE_MARKUP, '')).replaceAll(/\s+/gu, ' ').toWellFormed().trim();
}

/** The address of the first picture in HTML, without emojis and tracking pixels. */
export function firstPicture(html: string): string | undefined {
  if (!/<img/iu.test(html)) return undefined;
  for (const token of htmlTokens(html.slice(0, MOST_HTML))) {
    if (token.kind !== 'open' || token.name !== 'img') continue;
    const sides = ['width', 'height'].map((side) => /^(\d+)(?:px)?$/u.exec(token.attributes.get(side) ?? '')?.[1]);
    if (!sides.some((pixels) => Number(pixels) <= LARGEST_ICON)) return token.attributes.get('src');
  }
  return undefined;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
