/** The beginning of an element. */
export interface StartTag {
  /** In lower case, as attributes are. */
  readonly name: string;
  /** As they are written, character references included; of several of one name the first. */
  readonly attributes: ReadonlyMap<string, string>;
  /** What stands in it, where that is text alone. */
  readonly text?: string | undefined;
}

/** Elements in which nothing is a tag but their own end. */
const TEXT_ALONE: ReadonlyMap<string, RegExp> = new Map(
  ['title', 'script', 'style', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [
    name,
    new RegExp(`</${name}(?=[\\s/>])`, 'gi'),
  ]),
);

/**
 * The start tags of a page, in order, as browsers find them; what is cut off at the end is none.
 *
 * No character is looked at twice by the same search, so that the work grows with the page alone, whatever it says.
 */
export function* startTagsOf(html: string): Generator<StartTag, void> {
  let at = 0;
  for (;;) {
    const open = html.indexOf('<', at);
    if (open === -1) return;
    const sign = html.charAt(open + 1);
    if (!/[a-z]/i.test(sign)) {
      // What is neither a tag nor a comment is text.
      const end = /[!?/]/.test(sign) ? endOfMarkup(html, open) : open + 1;
      if (end === undefined) return;
      at = end;
      continue;
    }
    const tag = readTag(html, open + 1);
    if (!tag) return;
    const { name, attributes, end } = tag;
    const ending = TEXT_ALONE.get(name);
    const close = ending ? placeOf(ending, html, end) : end;
    if (close === undefined) return;
    yield { name, attributes, text: ending && html.slice(end, close) };
    at = close;
  }
}

/** Behind a comment, an end tag or a declaration. */
function endOfMarkup(html: string, open: number): number | undefined {
  const mark = html.startsWith('<!--', open) ? '-->' : '>';
  const close = html.indexOf(mark, open + 2);
  return close === -1 ? undefined : close + mark.length;
}

/** Where a global pattern is met from a place on. */
function placeOf(pattern: RegExp, html: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.exec(html)?.index;
}

function readTag(html: string, from: number): (StartTag & { readonly end: number }) | undefined {
  const attributes = new Map<string, string>();
  const nameEnd = find(html, from, (sign) => ENDS_NAME.has(sign));
  const name = html.slice(from, nameEnd).toLowerCase();
  let at = nameEnd;
  for (;;) {
    const start = find(html, at, (sign) => sign !== '/' && !SPACES.has(sign));
    if (start === html.length) return undefined;
    if (html[start] === '>') return { name, attributes, end: start + 1 };
    const end = find(html, start + 1, (sign) => sign === '=' || ENDS_NAME.has(sign));
    const value = readValue(html, end);
    if (!value) return undefined;
    const attribute = html.slice(start, end).toLowerCase();
    if (!attributes.has(attribute)) attributes.set(attribute, value.text);
    at = value.end;
  }
}

/** The value of an attribute from behind its name on; empty where it has none. */
function readValue(html: string, from: number): { readonly text: string; readonly end: number } | undefined {
  const sign = find(html, from, isNoSpace);
  if (html[sign] !== '=') return { text: '', end: sign };
  const start = find(html, sign + 1, isNoSpace);
  const quote = html[start];
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, start + 1);
    return close === -1 ? undefined : { text: html.slice(start + 1, close), end: close + 1 };
  }
  const end = find(html, start, (one) => one === '>' || SPACES.has(one));
  return { text: html.slice(start, end), end };
}

const SPACES: ReadonlySet<string> = new Set(' \t\n\f\r');
const ENDS_NAME: ReadonlySet<string> = new Set([...SPACES, '/', '>']);

function isNoSpace(sign: string): boolean {
  return !SPACES.has(sign);
}

/** Where a sign that `isIt` first stands from a place on; the end of the page where none does. */
function find(html: string, from: number, isIt: (sign: string) => boolean): number {
  let at = from;
  while (at < html.length && !isIt(html.charAt(at))) at++;
  return at;
}
