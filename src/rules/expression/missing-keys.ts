import type { IdleClause } from './decided-clauses.ts';
import { lookedUp, namesOfId } from './language/lookups.ts';
import { callArguments, calledName, fieldAccess, knownTypeOf, walk, written, type Node } from './language/tree.ts';

const GUARDS: ReadonlySet<string> = new Set(['?:', '&&', '||']);
const DEFAULTS: Readonly<Record<string, string>> = { string: "'…'", int: '0', double: '0.0' };

/** Finds `vars.roles[item.game.name]`, which fails for each item whose key the map lacks. A condition around it can test the key. */
export function missingKeys(tree: Node): readonly IdleClause[] {
  const guarded = new Set<Node>();
  const found: IdleClause[] = [];
  walk(tree, (node) => {
    if (GUARDS.has(node.op)) walk(node.args, (inner) => guarded.add(inner));
    const map = node.op === '[]' && !guarded.has(node) ? lookedUp(node) : undefined;
    const [, key] = Array.isArray(node.args) ? (node.args as readonly Node[]) : []; // both brackets hold nodes
    if (!map || !key || !readsRecords(key)) return;
    const instead = DEFAULTS[knownTypeOf(node)?.name ?? ''];
    found.push({
      at: node.start,
      message: `this fails if ${written(map)} has no key ${written(key)}`,
      hint: `write ${written(map)}[?${written(key)}]${instead === undefined ? '' : `.orValue(${instead})`}`,
    });
  });
  return found;
}

/** Finds `item.title.substring(0, 50)`, which fails for each shorter text, unlike `truncate`. A condition around it can test the length. */
export function shortTexts(tree: Node): readonly IdleClause[] {
  const guarded = new Set<Node>();
  const found: IdleClause[] = [];
  walk(tree, (node) => {
    if (GUARDS.has(node.op)) walk(node.args, (inner) => guarded.add(inner));
    if (guarded.has(node) || calledName(node) !== 'substring') return;
    const [text, from, to] = callArguments(node);
    if (!text || !fieldAccess(text) || String(from?.args) !== '0' || to?.op !== 'value') return;
    const length = String(to.args);
    found.push({
      at: node.start,
      message: `this fails if ${written(text)} has fewer than ${length} ${length === '1' ? 'character' : 'characters'}`,
      hint: `write truncate(${written(text)}, ${length})`,
    });
  });
  return found;
}

/** Whether the key is not fixed when the rule is loaded. */
function readsRecords(key: Node): boolean {
  let isOpen = false;
  walk(key, ({ op, args }) => {
    if (op === 'id' && !['vars', 'each'].includes(namesOfId(String(args))[0] ?? '')) isOpen = true;
  });
  return isOpen;
}
