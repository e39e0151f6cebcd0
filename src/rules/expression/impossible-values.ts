import { shapeAt } from '#src/rules/shape/shape.ts';
import { constraintOf, literalOf } from './constraints.ts';
import type { IdleClause } from './decided-clauses.ts';
import { lookedUp, namesOfId } from './language/lookups.ts';
import { callArguments, calledName, isLoop, isNode, loopOf, operandsOf, ORDERS, written, type Node } from './language/tree.ts';
import { domainOf, elementDomainOf, shapeIn, type Domain, type Shapes } from './value-domains.ts';

const SEARCHES: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith', 'rx']);

/** Finds comparisons with a value that a part never has, for example `item.kind == "vod"` and `now.getMonth() == 12`. */
export function impossibleValues(node: Node, shapes: Shapes): readonly IdleClause[] {
  const loop = node.meta.alternate ?? node;
  if (isLoop(loop)) {
    const { iterable, iterVarName, step } = loopOf(loop);
    const inner: Shapes = (name) => {
      const list = name === iterVarName ? shapeIn(iterable, shapes) : undefined;
      return name === iterVarName ? (list?.kind === 'list' ? list.of : undefined) : shapes(name);
    };
    return [...impossibleValues(iterable, shapes), ...impossibleValues(step, inner)];
  }
  const parts = isNode(node.args) ? [node.args] : Array.isArray(node.args) ? node.args.flat().filter(isNode) : [];
  return [...impossibleIn(node, shapes), ...parts.flatMap((part) => impossibleValues(part, shapes))];
}

function impossibleIn(node: Node, shapes: Shapes): readonly IdleClause[] {
  const [left, right] = operandsOf(node);
  if (node.op === '[]' || node.op === '[?]') return impossibleKeys(node, shapes);
  if (SEARCHES.has(calledName(node) ?? '')) return impossibleSearch(node, shapes);
  if (!left || !right) return [];
  if (node.op === '==' || node.op === '!=') {
    return [...impossible(left, right, domainOf(left, shapes)), ...impossible(right, left, domainOf(right, shapes))];
  }
  if (node.op === 'in') {
    const domain = right.op === 'list' ? domainOf(left, shapes) : undefined;
    const listed = domain ? operandsOf(right).flatMap((value) => impossible(left, value, domain)) : [];
    return [...listed, ...impossible(right, left, elementDomainOf(right, shapes), 'never has')];
  }
  return ORDERS.has(node.op) ? decidedOrder(node, domainOf(left, shapes) ?? domainOf(right, shapes)) : [];
}

/** The reason why a part never is, or never has, a value. */
function impossible(part: Node, value: Node, domain: Domain | undefined, verb = 'is never'): readonly IdleClause[] {
  const literal = literalOf(value);
  // An absent field is an empty text.
  if (!domain || literal === undefined || literal === '' || domain.has(literal)) return [];
  return [{ at: value.start, message: `${written(part)} ${verb} ${JSON.stringify(literal)}`, hint: domain.hintOf(literal) }];
}

/** A key of a map that its look-up never has, for example `Ada` in `vars.roles` with `vars.roles[?item.owner.handle]`. */
function impossibleKeys(lookUp: Node, shapes: Shapes): readonly IdleClause[] {
  const map = lookedUp(lookUp);
  const [, key] = operandsOf(lookUp);
  const domain = map && key && domainOf(key, shapes);
  if (!map || !key || domain?.isCase !== true) return [];
  const [root = '', ...path] = namesOfId(String(map.args));
  const shape = shapes(root);
  const keyed = shape && shapeAt(shape, path);
  const unused = keyed?.kind === 'record' ? [...keyed.fields.keys()].find((name) => !domain.has(name)) : undefined;
  if (unused === undefined) return [];
  const message = `${written(map)} has the key ${unused}, and ${written(key)} is never ${JSON.stringify(unused)}`;
  return [{ at: lookUp.start, message, hint: domain.hintOf(unused) }];
}

/** Searches for text whose case does not occur. Texts of choices can have any part. */
function impossibleSearch(call: Node, shapes: Shapes): readonly IdleClause[] {
  const [searched, sought] = callArguments(call);
  const domain = searched && domainOf(searched, shapes);
  const literal = sought && literalOf(sought);
  if (!searched || !sought || domain?.isCase !== true || typeof literal !== 'string') return [];
  // In a pattern, a class or an escape can be right in either case.
  if (calledName(call) === 'rx' && /[\\[]|\(\?/u.test(literal)) return [];
  return impossible(searched, sought, domain, 'never has');
}

/** An order that each number of a range has, or none of them. */
function decidedOrder(clause: Node, domain: Domain | undefined): readonly IdleClause[] {
  const constraint = constraintOf(clause);
  const [limit] = constraint?.limits ?? [];
  if (!constraint || !domain?.range || typeof limit !== 'number') return [];
  const { least, most, text } = domain.range;
  const results = new Set([least, most ?? Math.max(least, limit + 1)].map((value) => constraint.accepts(value)));
  if (results.size > 1) return [];
  const message = `this is ${results.has(true) ? 'always' : 'never'} true: ${written(constraint.operand)} is ${text}`;
  return [{ at: clause.start, message, hint: domain.hintOf(limit) }];
}
