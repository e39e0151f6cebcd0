import { withoutReferences } from '#src/media/pages/character-references.ts';

/** A piece of HTML: text, or the beginning or end of an element. */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/** A comment or a declaration; the beginning or end of an element; or a sign that begins nothing. No server leaves `<` or `>` in an attribute. */
const PIECE = /<!--[^]*?(?:-->|$)|<[!?][^>]*>?|<(\/?)([a-z][a-z0-9-]*)((?:[\s/][^<>]*)?)>|<|[^<]+/giu;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/gu;
/** What is in them is no text. */
const UNREAD = new Set(['script', 'style', 'template', 'title']);

/** The pieces of `html`, in order; what is not well formed is text. */
export function* tokensOf(html: string): Generator<Token, void> {
  let unread: string | undefined;
  for (const { 0: whole, 1: slash, 2: written, 3: attributes = '' } of html.matchAll(PIECE)) {
    const name = written?.toLowerCase();
    if (unread !== undefined) {
      if (slash === '/' && name === unread) unread = undefined;
    } else if (name === undefined) {
      if (!/^<[!?]/u.test(whole)) yield { kind: 'text', text: withoutReferences(whole) };
    } else if (slash === '/') {
      yield { kind: 'close', name };
    } else if (UNREAD.has(name)) {
      unread = name;
    } else {
      yield { kind: 'open', name, attributes: attributesIn(attributes) };
    }
  }
}

function attributesIn(text: string): ReadonlyMap<string, string> {
  const found = Array.from(text.matchAll(ATTRIBUTE), ({ 1: name = '', 2: double, 3: single, 4: bare }) => {
    return [name.toLowerCase(), withoutReferences(double ?? single ?? bare ?? '')] as const;
  });
  // Of two of the same name the first one counts.
  return new Map(found.toReversed());
}
