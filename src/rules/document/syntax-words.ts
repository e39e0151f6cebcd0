import type { YAMLError } from 'yaml';
import { quoted, valueLine } from './value-line.ts';

type Code = YAMLError['code'];

const WORDS: Readonly<Partial<Record<Code, string>>> = {
  BAD_ALIAS: 'an alias has no name',
  BAD_INDENT: 'the line does not begin where it should',
  BLOCK_AS_IMPLICIT_KEY: 'text with ": " in it reads as a key and its value',
  BLOCK_IN_FLOW: 'a list or a map over several lines cannot stand between [ ] or { }',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line',
  MULTIPLE_DOCS: 'a file holds one rule: there is a second one behind ---',
  RESOURCE_EXHAUSTION: 'lists and maps stand inside each other too often',
  TAB_AS_INDENT: 'a tab cannot indent: use spaces',
};

/** What is wrong where the text of one line was meant for something else: the lines around it can still be read. */
const LOCAL: ReadonlySet<Code> = new Set<Code>([
  'BAD_SCALAR_START',
  'BLOCK_AS_IMPLICIT_KEY',
  'BAD_DQ_ESCAPE',
  'TAG_RESOLVE_FAILED',
  'UNEXPECTED_TOKEN',
]);

const CURED_BY_QUOTES: ReadonlySet<Code> = new Set<Code>([
  'BAD_ALIAS',
  'BAD_SCALAR_START',
  'BLOCK_AS_IMPLICIT_KEY',
  'MULTILINE_IMPLICIT_KEY',
  'TAG_RESOLVE_FAILED',
  'UNEXPECTED_TOKEN',
]);

/** What the YAML parser says, in the words of a rule's author. */
export function syntaxWords(error: YAMLError, source: string): string {
  const { code, message } = error;
  if (isBareExpression(error, source)) return 'between { } or [ ] an expression needs quotes';
  if (message.startsWith('Flow sequence')) return 'a list is not closed: its ] is missing';
  if (message.startsWith('Flow map')) return 'a map is not closed: its } is missing';
  if (message.startsWith('Missing closing')) return 'the quotes are not closed';
  const said = message.replace(/\.$/u, '').replace(/^./u, (first) => first.toLowerCase());
  return WORDS[code] ?? `this is no YAML: ${said}`;
}

/** Whether the rest of the file can still be read. */
export function isLocal(error: YAMLError): boolean {
  return LOCAL.has(error.code) && !isLeftOver(error);
}

/** Whether the parser had read all that it could before: what it stumbles over may be right. */
export function isLeftOver({ message }: YAMLError): boolean {
  return message.includes(' in YAML stream');
}

/** Whether a list or a map between [ ] or { } does not end. */
export function isUnclosed({ message }: YAMLError): boolean {
  return message.startsWith('Flow');
}

/** The cure, where one is likely. */
export function cureOf(error: YAMLError, source: string): string | undefined {
  const { code, pos } = error;
  if (code === 'BAD_DQ_ESCAPE') return 'between double quotes a backslash is written \\\\; between single quotes it is itself';
  if (!CURED_BY_QUOTES.has(code)) return undefined;
  if (isBareExpression(error, source)) return 'write "${{ … }}"';
  const line = valueLine(source, pos[0]);
  const isWhole = line !== undefined && !/^[{[|>]/u.test(line.value);
  return isWhole ? `put quotes around the value: ${line.key}: ${quoted(line.value)}` : 'put quotes around the text';
}

/** Whether YAML takes the braces of an expression for a map. */
function isBareExpression({ pos: [at] }: YAMLError, source: string): boolean {
  return source.startsWith('${{', at - 1);
}
