import { isAlias, isMap, isNode, isPair, isScalar, isSeq, parseDocument, type Alias, type Document, type Node, type YAMLMap } from 'yaml';
import type { Path, Report, Spot } from './report.ts';
import { keyOf, ruleDocument, type RuleDocument } from './rule-document.ts';
import { misreadValue } from './misread-value.ts';
import { sayUnreadable } from './say-unreadable.ts';
import { structureExcess } from './structure-limit.ts';
import { startOf, walkNodes, type Next } from './walk-nodes.ts';

/** A rule of this size is no rule; and looking for keys that stand twice takes the square of it. */
const OF_A_RULE: Size = { what: 'a rule', mostCharacters: 65_536 };

/** A file of nothing but lists and maps has one for every fourth character at most, and those that people write have far fewer. */
const CHARACTERS_PER_MARK = 4;
const MOST_ALIASES = 100;
/** A file that is no YAML at all can have one for each of its characters. */
const MOST_ERRORS = 100;

/** How large a file may be. */
interface Size {
  /** What it holds, as one says it: `a rule`. */
  readonly what: string;
  readonly mostCharacters: number;
}

/** Reads a file as YAML, strictly: what its parser only warns of is an error. Undefined: nothing more can be said of the file. */
export function readDocument(source: string, report: Report, { what, mostCharacters }: Size = OF_A_RULE): RuleDocument | undefined {
  if (source.length > mostCharacters) {
    report.error({ path: [], offset: 0 }, `the file is too large: ${what} has at most ${mostCharacters} characters`);
    return undefined;
  }
  const excess = structureExcess(source, mostCharacters / CHARACTERS_PER_MARK);
  if (excess) {
    const message =
      excess.kind === 'levels' ? 'lists and maps stand inside each other too often' : `${what} has fewer lists, maps and keys`;
    report.error({ path: [], offset: excess.offset }, message);
    return undefined;
  }
  const yaml = parse(source);
  const errors = [...yaml.errors, ...yaml.warnings].slice(0, MOST_ERRORS);
  sayUnreadable(errors, { yaml, source, report });
  if (yaml.contents === null || (isScalar(yaml.contents) && yaml.contents.value === null)) {
    report.error({ path: [], offset: 0 }, 'the file is empty', 'a rule begins with its id');
    return undefined;
  }
  const aliases = inspect(yaml, source, report);
  return aliases && ruleDocument(yaml, aliases, source);
}

function parse(source: string): Document.Parsed {
  // Keys that stand twice are looked for below, in linear time.
  return parseDocument(source, { strict: true, uniqueKeys: false, intAsBigInt: true, prettyErrors: false, logLevel: 'error' });
}

/** Says what YAML allows and rules do not, and gives what aliases stand for; undefined: nobody can say how large the file is inside. */
function inspect(yaml: Document.Parsed, source: string, report: Report): ReadonlyMap<Alias, Node> | undefined {
  const anchors = new Map<string, Node>();
  const aliases = new Map<Alias, Node>();
  let count = 0;

  function inspectAlias(alias: Alias, above: readonly unknown[]): Next {
    if (++count >= MOST_ALIASES) {
      report.error(spotOf(alias, above), `a file has at most ${MOST_ALIASES} aliases`);
      return 'stop';
    }
    const meant = anchors.get(alias.source);
    if (meant) aliases.set(alias, meant);
    else sayUnknownAlias(alias, source, report);
    return 'over';
  }

  walkNodes(yaml.contents, (node, above) => {
    if (isAlias(node)) return inspectAlias(node, above);
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (node.tag !== undefined)
      report.error(spotOf(node, above), `rules use no tags: ${node.tag}`, 'put quotes around text that begins with !');
    if (!isMap(node)) return 'in';
    if (!source.startsWith('{{', startOf(node))) {
      const lone = node.flow ? node.items.find(({ value }) => value === null)?.key : undefined;
      if (isScalar(lone)) report.unreadable(startOf(lone), `${keyOf(lone)} has no value`, 'put quotes around text that has a comma in it');
      return inspectKeys(node, () => pathOf([...above, node]), report);
    }
    report.unreadable(startOf(node), 'YAML reads {{ as the beginning of two maps', 'write "${{ … }}", in quotes, to have it worked out');
    return 'over';
  });
  return count < MOST_ALIASES ? aliases : undefined;
}

/** An alias that stands for nothing: most likely it is text in bold. */
function sayUnknownAlias(alias: Alias, source: string, report: Report): void {
  const at = startOf(alias);
  const misread = misreadValue(source, at);
  if (misread?.offset === at) report.unreadable(at, misread.message, misread.hint);
  else report.unreadable(at, `there is no anchor &${alias.source}`, 'put quotes around text that begins with *');
}

function inspectKeys(map: YAMLMap, path: () => Path, report: Report): Next {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    const name = keyOf(key);
    const problem = name === undefined ? 'a key must be a word' : seen.has(name) ? `${name} stands here twice` : undefined;
    const offset = (isNode(key) ? key.range?.[0] : undefined) ?? map.range?.[0] ?? 0;
    if (problem !== undefined) report.error({ path: [...path(), name ?? '?'], offset }, problem);
    if (name !== undefined) seen.add(name);
  }
  return 'in';
}

function spotOf(node: Node, above: readonly unknown[]): Spot {
  return { path: pathOf([...above, node]), offset: startOf(node) };
}

/** Where the last of a line of nodes stands, each of which holds the next. */
function pathOf(line: readonly unknown[]): Path {
  return line.flatMap((node, index): Path => {
    if (isPair(node)) return [keyOf(node.key) ?? '?'];
    return isSeq(node) && index + 1 < line.length ? [node.items.indexOf(line[index + 1])] : [];
  });
}
