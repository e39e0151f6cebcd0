import { restrictionOf } from '#src/clients/operation/audience.ts';
import type { Declared } from '#src/clients/operation/declared.ts';
import type { Path } from '#src/rules/document/report.ts';
import type { StepDraft } from '#src/rules/grammar/rule-file.ts';
import type { Step } from '#src/rules/step.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import { shapeAt, textOf } from '#src/rules/shape/shape.ts';
import { literalOf } from '#src/rules/expression/constraints.ts';
import { operandsOf, walk, written, type Node } from '#src/rules/expression/language/tree.ts';
import type { Watched } from '#src/rules/rule.ts';
import type { CheckContext } from './check-context.ts';
import type { CheckedExpression } from './check-expression.ts';
import type { PlacedStep } from './place-steps.ts';

interface IncludeOptions {
  readonly include: StepDraft['include'];
  readonly verb: string;
  /** The path of `when`, or of a step. */
  readonly path: Path;
}

/** Checks `include` against the records of a list. */
export function checkInclude(
  { include, verb, path }: IncludeOptions,
  declared: Declared,
  { document, report }: CheckContext,
): Step['include'] {
  const choices = declared.kind === 'list' || path[0] === 'when' ? visibilitiesOf(declared) : [];
  const restricted = choices.filter(isRestricted);
  if (include !== undefined) {
    if (restricted.length === 0) {
      const message = `include has no effect: ${verb} has no list of records that only some people can read`;
      report.warning(document.keyLocation(path, 'include'), 'idle-include', message, 'remove include');
    }
    return [...new Set(include.filter((restriction) => restriction !== null))].toSorted();
  }
  if (restricted.length > 0 && restricted.length === choices.length) {
    const message = `not everyone can read the items of ${verb}, so the rule would ignore all of them`;
    const key = path[0] === 'when' ? 'watch' : 'do';
    report.error(document.locationOf([...path, key]), 'restricted-items', message, `add include: [${restricted.join(', ')}]`);
  }
  return undefined;
}

/** Warns of a step that everyone may read, whatever it is made from. */
export function checkAudience({ draft: { audience }, path }: PlacedStep, { document, report }: CheckContext): Step['audience'] {
  if (audience === undefined) return undefined;
  report.warning(
    document.keyLocation(path, 'audience'),
    'wider-audience',
    'this step is sent even if it is made from a post for followers or from a direct message',
    'remove audience, unless the authors of these records agree',
  );
  return audience;
}

/** The audiences that the items of an operation can have. A thread has that of its first post. */
function visibilitiesOf(declared: Declared): readonly string[] {
  const item = itemShape(declared);
  const visibility = shapeAt(item, ['visibility']) ?? shapeAt(item, ['root', 'visibility']);
  return (visibility && textOf(visibility)?.choices) ?? [];
}

function isRestricted(visibility: string): boolean {
  return restrictionOf({ visibility }) !== undefined;
}

/** Warns of a comparison with an audience whose items the rule leaves out. */
export function checkExcludedAudience(
  checked: CheckedExpression,
  {
    watched: { verb, include = [] },
    context: { document, report, catalogue },
  }: { readonly watched: Watched; readonly context: CheckContext },
): void {
  const declared = catalogue.get(verb);
  const restricted = declared ? visibilitiesOf(declared).filter(isRestricted) : [];
  for (const { name, at } of comparedVisibilities(checked.expression.tree)) {
    const restriction = restrictionOf({ visibility: name });
    if (!restricted.includes(name) || restriction === undefined || include.includes(restriction)) continue;
    const message = `item.visibility is never "${name}": the rule leaves out items that not everyone can read`;
    const hint = `add include: [${[...include, restriction].join(', ')}] to when`;
    report.warning(document.textLocation(checked.path, checked.at + at), 'excluded-audience', message, hint);
  }
}

/** The values that an expression compares with `item.visibility` by == and in. */
function comparedVisibilities(tree: Node): readonly { readonly name: string; readonly at: number }[] {
  const found: { name: string; at: number }[] = [];
  walk(tree, (node) => {
    if (node.op !== '==' && node.op !== 'in') return;
    const [left, right] = operandsOf(node);
    if (!left || !right || ![left, right].some((one) => written(one) === 'item.visibility')) return;
    for (const value of right.op === 'list' ? operandsOf(right) : [left, right]) {
      const name = literalOf(value);
      if (typeof name === 'string') found.push({ name, at: value.start });
    }
  });
  return found;
}

/** Warns of a rule that sends nothing about the items of `include`, because more people could read each of its steps. */
export function checkReaders(
  { watched: { verb, include, per }, placed }: { readonly watched: Watched; readonly placed: readonly PlacedStep[] },
  { document, report, catalogue }: CheckContext,
): void {
  const declared = catalogue.get(verb);
  if (report.hasErrors || include === undefined || per === 'slot' || !declared) return;
  const visibilities = visibilitiesOf(declared);
  if (!visibilities.some(isRestricted)) return;
  const writes = placed.filter((step) => step.declared?.kind === 'write');
  const wider = writes.filter(isWider);
  const hint = 'answer the authors with a reply or a direct message; or add audience: public to the step, if they agree';
  if (visibilities.every(isRestricted)) {
    for (const { path, draft } of wider) {
      const message = `this step is never sent: more people could read ${draft.do ?? ''} than the items of ${verb}`;
      report.warning(document.locationOf([...path, 'do']), 'unsent-step', message, hint);
    }
  } else if (writes.length > 0 && wider.length === writes.length) {
    const message = 'nothing is sent about the items that include adds: more people could read each step';
    report.warning(document.keyLocation(['when'], 'include'), 'unsent-step', message, hint);
  }
}

/** Whether more people could read a step than a record that not everyone can read. */
function isWider({ draft: { audience, do: verb, with: parameters = {} }, declared }: PlacedStep): boolean {
  if (audience !== undefined || declared?.kind !== 'write') return false;
  if (declared.publishes === 'post') return verb !== 'social.editPost' && parameters['replyTo'] === undefined;
  return declared.publishes === 'everyone';
}
