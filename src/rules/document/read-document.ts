import { isNode, isPair, isScalar, isSeq, parseDocument, visit, type Document, type Node, type YAMLError, type YAMLMap } from 'yaml';
import type { Path, Report, Spot } from './report.ts';
import { keyOf, ruleDocument, type RuleDocument } from './rule-document.ts';
import { isLocal, quotesHint, syntaxWords } from './syntax-words.ts';

/** A rule of this size is no rule; and looking for keys that stand twice takes the square of it. */
const MOST_CHARACTERS = 65_536;

const MOST_ALIASES = 100;
/** A file that is no YAML at all can have one for each of its characters. */
const MOST_ERRORS = 100;

/** Reads a file as YAML, strictly: what its parser only warns of is an error. Undefined: nothing more can be said of the file. */
export function readDocument(source: string, report: Report): RuleDocument | undefined {
  if (source.length > MOST_CHARACTERS) {
    report.error({ path: [], offset: 0 }, `the file is too large: a rule has at most ${MOST_CHARACTERS} characters`);
    return undefined;
  }
  const yaml = parse(source);
  const errors = [...yaml.errors, ...yaml.warnings].slice(0, MOST_ERRORS);
  // One thing that is wrong makes the parser stumble over the rest of its line.
  for (const error of errors) report.unreadable(placeOf(error, yaml, source), syntaxWords(error, source), quotesHint(error, source));
  for (const error of errors) if (!isLocal(error)) report.giveUpAt(placeOf(error, yaml, source));
  if (yaml.contents === null || (isScalar(yaml.contents) && yaml.contents.value === null)) {
    report.error({ path: [], offset: 0 }, 'the file is empty', 'a rule begins with its id');
    return undefined;
  }
  return inspect(yaml, report) ? ruleDocument(yaml, source) : undefined;
}

/** Where an error is best shown: a list or a map that is not closed, where it opens. */
function placeOf({ message, pos: [at] }: YAMLError, yaml: Document.Parsed, source: string): number {
  let place = Math.min(at, source.length);
  if (!message.startsWith('Flow')) return place;
  visit(yaml, {
    Collection(_, { flow, range }) {
      if (flow && range && range[0] < at && range[2] >= at) place = range[0];
    },
  });
  return place;
}

function parse(source: string): Document.Parsed {
  // Keys that stand twice are looked for below, in linear time.
  return parseDocument(source, { strict: true, uniqueKeys: false, intAsBigInt: true, prettyErrors: false, logLevel: 'error' });
}

/** Says what YAML allows and rules do not; false: nobody can say how large the file is inside. */
function inspect(yaml: Document.Parsed, report: Report): boolean {
  let aliases = 0;
  visit(yaml, {
    Map: (_, map, above) => inspectKeys(map, () => pathOf([...above, map]), report),
    Alias(_, alias, above) {
      if (++aliases === MOST_ALIASES) report.error(spotOf(alias, [...above, alias]), `a file has at most ${MOST_ALIASES} aliases`);
      if (aliases >= MOST_ALIASES) return visit.BREAK;
      if (alias.resolve(yaml) !== undefined) return undefined;
      report.error(spotOf(alias, [...above, alias]), `there is no anchor &${alias.source}`, 'put quotes around text that begins with *');
    },
    Value(_, value, above) {
      if (value.tag === undefined) return;
      report.error(spotOf(value, [...above, value]), `rules use no tags: ${value.tag}`, 'put quotes around text that begins with !');
    },
  });
  return aliases < MOST_ALIASES;
}

function inspectKeys(map: YAMLMap, path: () => Path, report: Report): void {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    const name = keyOf(key);
    const problem = name === undefined ? 'a key must be a word' : seen.has(name) ? `${name} stands here twice` : undefined;
    const offset = (isNode(key) ? key.range?.[0] : undefined) ?? map.range?.[0] ?? 0;
    if (problem !== undefined) report.error({ path: [...path(), name ?? '?'], offset }, problem);
    if (name !== undefined) seen.add(name);
  }
}

function spotOf(node: Node, line: readonly unknown[]): Spot {
  return { path: pathOf(line), offset: node.range?.[0] ?? 0 };
}

/** Where the last of a line of nodes stands, each of which holds the next. */
function pathOf(line: readonly unknown[]): Path {
  return line.flatMap((node, index): Path => {
    if (isPair(node)) return [keyOf(node.key) ?? '?'];
    return isSeq(node) && index + 1 < line.length ? [node.items.indexOf(line[index + 1])] : [];
  });
}
