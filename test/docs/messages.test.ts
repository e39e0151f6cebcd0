import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { pageFiles } from './pages.ts';

/** A message with fewer fixed characters would be found in many texts. */
const LEAST_FIXED = 17;

/** The texts in the source of Fanfare, with `…` for each computed part. */
const messages = globSync(['src/**/*.ts', 'adapters/**/*.ts', 'bin/*.mjs']).flatMap((file) => {
  const texts: string[] = [];
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && texts.push(value)),
    TemplateLiteral: ({ quasis }) => void texts.push(quasis.map(({ value }) => value.cooked ?? '').join('…')),
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return texts.filter((text) => / \p{L}/u.test(text)).map((text) => withParts(text.replaceAll(/\s+/gu, ' ').trim()));
});

interface Message {
  readonly text: string;
  readonly parts: readonly string[];
  /** The number of characters of its parts. */
  readonly fixed: number;
}

function withParts(text: string): Message {
  const parts = partsOf(text);
  return { text, parts, fixed: parts.reduce((sum, part) => sum + part.length, 0) };
}

/** Whether the fixed parts of a text are in another one, in order. */
function hasParts(text: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

function partsOf(text: string): readonly string[] {
  return text
    .split('…')
    .map((part) => part.trim())
    .filter((part) => part.length > 3);
}

/** Whether Fanfare can print a quoted message: a message contains its parts, or it contains the parts of a message. */
function exists(quoted: string): boolean {
  const shown = partsOf(quoted);
  return messages.some(({ text, parts, fixed }) => hasParts(text, shown) || (fixed > LEAST_FIXED && hasParts(quoted, parts)));
}

/** The messages that a page quotes: those that a log or an error has, and the first cells of tables of messages and reasons. */
function quotesIn(page: string): readonly string[] {
  const inText = [...page.matchAll(/\b(?:logs?|logs it|error|reports|says)(?: says?| has|:)?:? `([^`{}=<>]+)`/gu)].map(
    ([, quoted = '']) => quoted,
  );
  const tables = [...page.matchAll(/^\| (?:message|reason in `why`) \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/gmu)];
  const inTables = tables.flatMap(([, rows = '']) => [...rows.matchAll(/^\| `([^`]+)`/gmu)].map(([, quoted = '']) => quoted));
  // Before a colon, an error names the file or the variable.
  return [...inText, ...inTables]
    .filter((quoted) => / \p{L}+ /u.test(quoted))
    .map((quoted) => quoted.replace(/^(?:.*\w: )(?=\w+ \w+)/u, ''));
}

const pages = pageFiles()
  .filter((file) => !file.startsWith('docs/reference/'))
  .map((file) => [file, quotesIn(readFileSync(file, 'utf8'))] as const)
  .filter(([, quotes]) => quotes.length > 0);

test('pages quote messages', () => {
  expect(pages.flatMap(([, quotes]) => quotes).length).toBeGreaterThan(30);
});

test.for(pages)('the messages in %s exist', ([, quotes]) => {
  expect(quotes.filter((quoted) => !exists(quoted))).toEqual([]);
});

test.for([
  ['this machine has no address …', false],
  ['the fish is not at home', false],
  ['this machine does not have the address …', true],
  ['DISCORD_GUILD_ID must also be set, because DISCORD_TOKEN is set', true],
] as const)('%s: %s', ([quoted, expected]) => {
  expect(exists(quoted)).toBe(expected);
});
