/** The ends of comments, processing instructions and sections, by their beginnings. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
]);

/** The most tags without an end. */
const MOST_ENDLESS = 10;

/**
 * XML without comments and processing instructions, and with sections as text. So each `<` of the result is a tag, in whichever order the
 * parser recognizes parts. Throws an error if a part has no end.
 */
export function withoutSections(xml: string): string {
  const beginning = /<!--|<\?|<!\[CDATA\[/gu;
  const parts: string[] = [];
  let from = 0;
  for (let found = beginning.exec(xml); found; found = beginning.exec(xml)) {
    const [begin] = found;
    const end = ENDS.get(begin) ?? '';
    const endsAt = xml.indexOf(end, beginning.lastIndex);
    if (endsAt === -1) throw new Error(`there is no ${end} after ${begin}`);
    parts.push(xml.slice(from, found.index));
    if (begin === '<![CDATA[') parts.push(asText(xml.slice(beginning.lastIndex, endsAt)));
    from = endsAt + end.length;
    beginning.lastIndex = from;
  }
  return parts.join('') + xml.slice(from);
}

/** The tags of XML without their `>`. A few `<` can be text. Throws an error if there are more, because the parser searches the end of each. */
export function* tagsOf(xml: string): Generator<string> {
  let endless = 0;
  for (let begin = xml.indexOf('<'); begin !== -1; begin = xml.indexOf('<', begin + 1)) {
    const end = endOfTag(xml, begin);
    if (end !== -1) {
      yield xml.slice(begin, end);
      begin = end;
    } else if (++endless > MOST_ENDLESS) throw new Error('too many tags have no end');
  }
}

/** The position of the `>` of a tag, as the parser finds it: only opening tags have quotes. */
function endOfTag(xml: string, begin: number): number {
  if (xml[begin + 1] === '/') return xml.indexOf('>', begin);
  let quote: string | undefined;
  for (let at = begin + 1; at < xml.length; at++) {
    const character = xml[at];
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
    } else if (character === '>') return at;
    else if (character === '"' || character === "'") quote = character;
  }
  return -1;
}

/** A section as text. Its comments are left out, as the parser does in other texts. */
function asText(section: string): string {
  const [first = '', ...others] = section.split('<!--');
  const visible = others.map((part) => (part.includes('-->') ? part.slice(part.indexOf('-->') + '-->'.length) : `<!--${part}`));
  return [first, ...visible].join('').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
