import { parseFeed } from 'feedsmith';
import { tagsOf, withoutSections } from './markup.ts';

/** The tags and attributes of XML, and the values of JSON. A feed of 4 MB usually has fewer than 100,000. */
const MOST_MARKUP = 200_000;
/** The keys of an object of JSON. Those of JSON Feed have fewer than 20. */
const MOST_KEYS = 1_000;

/** A parsed feed of any format. */
export type FeedDocument = ReturnType<typeof parseFeed<string>>;

/** The reason why a document is not parsed. */
export class RefusedDocument extends Error {
  override readonly name = 'RefusedDocument';
}

/** Parses a feed. Refuses documents that would occupy the parser for seconds. */
export function parseDocument(text: string): FeedDocument {
  if (text.trimStart().startsWith('{')) {
    if (hasTooManyValues(text)) throw new RefusedDocument('it has too many values');
    return parseFeed<string>(JSON.parse(text));
  }
  const xml = withoutSections(text);
  let count = 0;
  for (const tag of tagsOf(xml)) {
    // Entities can grow to any size.
    if (tag.startsWith('<!') && tag.includes('[')) throw new RefusedDocument('it declares entities');
    count += 1 + attributesIn(tag);
    if (count > MOST_MARKUP) throw new RefusedDocument('it has too much markup');
  }
  return parseFeed<string>(xml);
}

/** About the number of attributes in a tag. Each has a space before it, or an equals sign. */
function attributesIn(tag: string): number {
  let words = 0;
  let equals = 0;
  for (let at = 1; at < tag.length; at++) {
    if (tag[at] === '=') equals++;
    else if (isSpace(tag, at - 1) && !isSpace(tag, at)) words++;
  }
  return Math.max(words, equals);
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 32 || (code > 127 && /\s/u.test(text.charAt(at)));
}

/** Whether JSON has too many values, or an object with too many keys, in which the parser would search for long. */
function hasTooManyValues(json: string): boolean {
  /** The further keys of each open object. Lists have no keys. */
  const open: number[] = [];
  let count = 0;
  let isText = false;
  for (let at = 0; at < json.length && count <= MOST_MARKUP; at++) {
    const character = json[at];
    if (character === '"') isText = !isText;
    else if (character === '\\') at++;
    else if (isText) continue;
    else if (character === '{' || character === '[') {
      count++;
      open.push(character === '{' ? 0 : -Infinity);
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',') {
      count++;
      const keys = (open.pop() ?? 0) + 1;
      if (keys >= MOST_KEYS) return true;
      open.push(keys);
    }
  }
  return count > MOST_MARKUP;
}
