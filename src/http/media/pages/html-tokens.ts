import { decodeHTMLStrict } from 'entities';
import { Tokenizer } from 'htmlparser2';

/** A piece of an HTML page: text, a start tag or an end tag. Names are in lower case, and character references are decoded. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/**
 * Reads the tokens of a page in order, as browsers do. Comments, and a tag that is cut off at the end, are left out.
 *
 * The tokenizer of htmlparser2 keeps no open elements, so hostile nesting costs no more than other text.
 */
export function htmlTokens(html: string): readonly HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let name = '';
  let attributes = new Map<string, string>();
  let attribute = '';
  let value = '';
  const pushOpen = (): void => void tokens.push({ kind: 'open', name, attributes });
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ontext: (start, end) => void tokens.push({ kind: 'text', text: decodeHTMLStrict(html.slice(start, end)) }),
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase();
        attributes = new Map();
      },
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => void (value += html.slice(start, end)),
      onattribend() {
        // Browsers use the first of two attributes with the same name.
        if (!attributes.has(attribute)) attributes.set(attribute, decodeHTMLStrict(value));
      },
      onopentagend: pushOpen,
      onselfclosingtag: pushOpen,
      onclosetag: (start, end) => void tokens.push({ kind: 'close', name: html.slice(start, end).toLowerCase() }),
      onattribentity: () => undefined,
      ontextentity: () => undefined,
      oncdata: () => undefined,
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return tokens;
}
