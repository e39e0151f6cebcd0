import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  type Alias,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { behindSpace, endsEarly, misreadValue, otherQuotes } from './misread-value.ts';
import { lineStartOf, type Location, type Path, type Report } from './report.ts';
import { keyOf, ruleDocument, startOf, walkNodes, type Next, type RuleDocument } from './rule-document.ts';
import { readSimpleYaml } from './simple-yaml.ts';
import { structureExcess } from './structure-limit.ts';
import { COLON_MISSING, colonHint, JOINED_KEY, ODD_SPACE } from './spacing.ts';
import { reportSyntaxErrors } from './syntax-errors.ts';

interface Size {
  /** The content for messages, for example `a rule`. */
  readonly what: string;
  readonly mostCharacters: number;
}

/** No rule is larger, and the search for duplicate keys takes quadratic time. */
const OF_A_RULE: Size = { what: 'a rule', mostCharacters: 65_536 };

/** The density of YAML indicators in a file of empty lists. Real files have far fewer. */
const CHARACTERS_PER_INDICATOR = 4;
const MOST_ALIASES = 100;
/** A file that is not YAML can have an error for each character. */
const MOST_ERRORS = 100;

/** Invisible characters that YAML does not allow, and that databases and platforms refuse. The writer of YAML leaves those from U+007F on in texts. */
const CONTROL = /(?![\t\n\r\u007f-\u009f])\p{Cc}/u;

const START: Location = { path: [], offset: 0 };

/** Reads a file as strict YAML: a parser warning is an error. Undefined if no more can be checked. */
export function readDocument(source: string, report: Report, { what, mostCharacters }: Size = OF_A_RULE): RuleDocument | undefined {
  if (source.length > mostCharacters) {
    report.error(START, 'too-large', `the file is too large: ${what} can have at most ${mostCharacters} characters`);
    return undefined;
  }
  const control = CONTROL.exec(source);
  if (control) {
    const code = `U+${control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    report.error({ path: [], offset: control.index }, 'control-character', `the file has the control character ${code}`, 'delete it');
    return undefined;
  }
  const excess = structureExcess(source, mostCharacters / CHARACTERS_PER_INDICATOR);
  if (excess) {
    const at: Location = { path: [], offset: excess.offset };
    if (excess.kind === 'levels') reportDepth(at, report);
    else report.error(at, 'too-large', `too many lists, maps and keys for ${what}`);
    return undefined;
  }
  const contents = readSimpleYaml(source) ?? readYaml(source, report);
  if (contents === undefined) return undefined;
  if (contents === null || (isScalar(contents) && contents.value === null)) {
    report.error(START, 'empty-file', 'the file is empty', 'a rule starts with its id');
    return undefined;
  }
  const aliases = inspect(contents, source, report);
  return aliases && ruleDocument(contents, aliases, source);
}

function reportDepth(at: Location, report: Report): void {
  report.error(at, 'too-deep', 'lists and maps are nested too deeply');
}

/** Undefined if the parser cannot read the file. */
function readYaml(source: string, report: Report): Document.Parsed['contents'] | undefined {
  let yaml: Document.Parsed;
  const { stackTraceLimit } = Error;
  try {
    // Text of quotes only has an error for every second character, and nearly all of the time was spent on the stacks of these errors.
    Error.stackTraceLimit = 0;
    // inspect() finds duplicate keys in linear time.
    yaml = parseDocument(source, { strict: true, uniqueKeys: false, intAsBigInt: true, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    // In brackets, keys behind keys are nested too, and the parser has no limit for them: `[a: b: c: …`.
    if (!(error instanceof RangeError)) throw error;
    reportDepth(START, report);
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const errors = [...yaml.errors, ...yaml.warnings].slice(0, MOST_ERRORS);
  reportSyntaxErrors(errors, { yaml, source, report });
  return yaml.contents;
}

/** Reports YAML that rules do not allow. Returns the targets of aliases; undefined with too many aliases. */
function inspect(contents: Node, source: string, report: Report): ReadonlyMap<Alias, Node> | undefined {
  const anchors = new Map<string, Node>();
  const aliases = new Map<Alias, Node>();
  let count = 0;

  function inspectAlias(alias: Alias, above: readonly unknown[]): Next {
    if (++count >= MOST_ALIASES) {
      report.error(locationOf(alias, above), 'too-many-aliases', `a file can have at most ${MOST_ALIASES} aliases`);
      return 'stop';
    }
    const target = anchors.get(alias.source);
    if (target) aliases.set(alias, target);
    else reportUnknownAlias(alias, source, report);
    return 'over';
  }

  walkNodes(contents, (node, above) => {
    if (isAlias(node)) return inspectAlias(node, above);
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (node.tag !== undefined) {
      report.error(locationOf(node, above), 'tag', `YAML tags are not supported: ${node.tag}`, 'put quotes around text that starts with !');
    }
    if (!isMap(node)) return 'in';
    if (source.startsWith('{{', startOf(node))) {
      const message = 'YAML reads {{ as the start of two maps';
      report.unreadableLine(startOf(node), 'bare-braces', message, 'write "${{ … }}", in quotes, to evaluate it');
      return 'over';
    }
    const lone = node.flow ? node.items.findIndex(({ value }) => value === null) : -1;
    const key = node.items[lone]?.key;
    if (isScalar(key)) reportLoneKey(key, { isFirst: lone === 0, source, report });
    return inspectKeys(node, () => pathOf([...above, node]), report);
  });
  return count < MOST_ALIASES ? aliases : undefined;
}

/** Reports an alias without an anchor, which most likely is text in bold. */
function reportUnknownAlias(alias: Alias, source: string, report: Report): void {
  const at = startOf(alias);
  const misread = misreadValue(source, at);
  if (misread?.offset === at) report.unreadableLine(at, 'misread-text', misread.message, misread.hint);
  else report.unreadableLine(at, 'unknown-anchor', `unknown anchor &${alias.source}`, 'put quotes around text that starts with *');
}

function inspectKeys(map: YAMLMap, path: () => Path, report: Report): Next {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    const name = keyOf(key);
    const offset = (isNode(key) ? key.range?.[0] : undefined) ?? map.range?.[0] ?? 0;
    if (name === undefined) {
      const hint = isScalar(key) && key.source ? `put quotes around it: "${key.source}"` : 'write the key as one word';
      report.error({ path: [...path(), '?'], offset }, 'key-not-a-word', 'a key must be text', hint);
    } else if (seen.has(name))
      report.error({ path: [...path(), name], offset }, 'duplicate-key', `${name} appears twice`, 'remove one of them');
    if (name !== undefined) seen.add(name);
  }
  return 'in';
}

function locationOf(node: Node, above: readonly unknown[]): Location {
  return { path: pathOf([...above, node]), offset: startOf(node) };
}

/** The path of the last node of a chain in which each node holds the next. */
function pathOf(chain: readonly unknown[]): Path {
  return chain.flatMap((node, index): Path => {
    if (isPair(node)) return [keyOf(node.key) ?? '?'];
    return isSeq(node) && index + 1 < chain.length ? [node.items.indexOf(chain[index + 1])] : [];
  });
}

/** Reports a key of a map in braces that has no value. In quotes, it can be the rest of an expression behind its inner quotes. */
function reportLoneKey(
  lone: Scalar,
  { isFirst, source, report }: { readonly isFirst: boolean; readonly source: string; readonly report: Report },
): void {
  const key = keyOf(lone) ?? '';
  const at = startOf(lone);
  const quote = source[at] === '"' || source[at] === "'" ? source[at] : undefined;
  const before = source.slice(lineStartOf(source, at), at);
  if (quote !== undefined && key.includes('}}') && before.lastIndexOf('${{') > before.lastIndexOf('}}'))
    return report.unreadableLine(at, 'misread-text', endsEarly(quote), otherQuotes(quote));
  // Behind a comma, it can be the rest of a text.
  const hint = isFirst && /\s|=/u.test(key) ? colonHint(key) : undefined;
  if (hint !== undefined) return report.unreadableLine(at, 'key-without-value', COLON_MISSING, hint);
  report.unreadableLine(at, 'key-without-value', `${key} has no value`, loneHint(key));
}

/** The hint for a key of a map in braces that has no value, which is often a part of another value. */
function loneHint(key: string): string {
  if (/^\d{3}$/u.test(key)) return 'write a number without commas: 1000';
  const [, before, behind] = ODD_SPACE.exec(key) ?? [];
  if (before !== undefined) return `replace the character that only looks like a space: ${before} ${behindSpace(behind ?? '')}`;
  const [, name, text] = JOINED_KEY.exec(key) ?? [];
  return name === undefined
    ? 'put quotes around text that contains a comma'
    : `write a space after the colon: ${name}: ${behindSpace(text ?? '')}`;
}
