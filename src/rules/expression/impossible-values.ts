import { closestName } from '#src/clients/operation/closest-name.ts';
import { shapeAt, type Shape } from '#src/rules/shape/shape.ts';
import type { IdleClause } from './decided-clauses.ts';
import { fieldAccess, isLoop, isNode, loopOf, written, type Node } from './language/tree.ts';

/** The shapes of the names in scope. */
type Shapes = ReadonlyMap<string, Shape>;

/** Finds comparisons of a field with a text that the field never has, for example `item.kind == "vod"`. */
export function impossibleValues(node: Node, shapes: Shapes): readonly IdleClause[] {
  const loop = node.meta.alternate ?? node;
  if (isLoop(loop)) {
    const { iterable, iterVarName, step } = loopOf(loop);
    const list = shapeIn(iterable, shapes);
    const inner = list?.kind === 'list' ? new Map([...shapes, [iterVarName, list.of] as const]) : shapes;
    return [...impossibleValues(iterable, shapes), ...impossibleValues(step, inner)];
  }
  const parts = Array.isArray(node.args) ? node.args.filter(isNode) : [];
  const isComparison = node.op === '==' || node.op === '!=';
  const [left, right] = parts;
  const own = isComparison && left && right ? [...impossible(left, right, shapes), ...impossible(right, left, shapes)] : [];
  return [...own, ...parts.flatMap((part) => impossibleValues(part, shapes))];
}

function impossible(field: Node, value: Node, shapes: Shapes): readonly IdleClause[] {
  const shape = shapeIn(field, shapes);
  const text = value.op === 'value' ? value.args : undefined;
  // An absent field is an empty text.
  if (shape?.kind !== 'text' || !shape.choices || typeof text !== 'string' || text === '' || shape.choices.includes(text)) return [];
  const meant = closestName(text, shape.choices);
  const hint = meant === undefined ? `available: ${shape.choices.join(', ')}` : `did you mean ${meant}?`;
  return [{ at: value.start, message: `${written(field)} is never "${text}"`, hint }];
}

function shapeIn(node: Node, shapes: Shapes): Shape | undefined {
  const access = fieldAccess(node);
  if (!access) return node.op === 'id' ? shapes.get(String(node.args)) : undefined;
  const of = shapeIn(access.of, shapes);
  return of && shapeAt(of, [access.field]);
}
