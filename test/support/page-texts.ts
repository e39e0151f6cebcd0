/** Elements whose text is code or an instant, in every language. */
const UNTRANSLATED: ReadonlySet<string> = new Set(['code', 'pre', 'time', 'script', 'textarea']);
const VOID: ReadonlySet<string> = new Set(['img', 'input', 'link', 'meta', 'rect', 'br']);
/** The attributes that readers see or hear. */
const ATTRIBUTES = /(?:^|\s)(?:title|aria-label|alt|placeholder|data-done|data-question|data-undo|data-undone)="([^"]*)"/gu;

interface OpenElement {
  readonly name: string;
  /** Whether its text is in another language, or in none. */
  readonly isSkipped: boolean;
}

/**
 * The texts of a document that are in its language: of elements, and of attributes that readers see or hear. Texts of elements with another
 * `lang` are left out, and code and instants.
 */
export function textsOf(page: string): readonly string[] {
  const language = /<html lang="(\w+)"/u.exec(page)?.[1];
  const texts: string[] = [];
  const open: OpenElement[] = [];
  for (const [token, closing, name = '', attributes = ''] of page
    .replace(/^<!doctype html>/u, '')
    .matchAll(/<(\/?)([\w-]+)((?:"[^"]*"|[^>"])*)>|[^<]+/gu)) {
    const isSkipped = open.at(-1)?.isSkipped === true;
    if (name === '') {
      if (!isSkipped) texts.push(token);
      continue;
    }
    if (closing === '/') {
      open.splice(open.findLastIndex((one) => one.name === name));
      continue;
    }
    const own = /\slang="(\w+)"/u.exec(attributes)?.[1];
    const skips = own === undefined ? isSkipped || UNTRANSLATED.has(name) : own !== language || UNTRANSLATED.has(name);
    if (!skips) for (const [, text = ''] of attributes.matchAll(ATTRIBUTES)) texts.push(text);
    if (!VOID.has(name) && !attributes.endsWith('/')) open.push({ name, isSkipped: skips });
  }
  return texts
    .map((text) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll(/\s+/gu, ' ').trim())
    .filter((text) => /\p{L}/u.test(text));
}
