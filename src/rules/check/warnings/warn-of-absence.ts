import { fieldAccess } from '../../expression/language/tree.ts';
import { ownText, parseTemplate } from '../../grammar/template.ts';
import type { Desk } from '../desk.ts';
import type { ParameterText } from '../parameters/check-parameters.ts';
import type { StepNames } from '../../step.ts';
import type { PlacedStep } from '../place-steps.ts';

interface Reader {
  readonly step: PlacedStep;
  readonly names: StepNames;
}

/**
 * Warns of a text that says something only beside what other steps gave, in a step that says nothing else: where those are
 * not sent it goes out without, as an announcement must that merely mentions a post.
 */
export function warnOfAbsence(
  texts: readonly ParameterText[],
  { step: { draft, path }, names }: Reader,
  { document, report, catalogue }: Desk,
): void {
  if (draft.if !== undefined) return;
  const said = texts.filter(({ shape }) => shape?.kind === 'text' && shape.markup !== undefined);
  if (!said.every(isOfSteps)) return;
  for (const { text, expressions = [], path: at } of said) {
    const own = ownText(parseTemplate(text), ' ').trim();
    const [first] = expressions;
    if (!first || !/[\p{L}\p{N}]/u.test(own)) continue;
    const { expression } = first;
    const [step = ''] = [...expression.reads.keys()].map((read) => read.split('.')[0]);
    // A step that reads a failed look-up is not sent.
    if (catalogue.get(names.steps[step] ?? '')?.kind !== 'write') continue;
    report.warning(
      document.textSpot([...path, 'with', ...at], first.at),
      `where the step ${step} is not sent, all that this says is "${own}"`,
      `to say nothing then, add if: ${expression.source} != ""`,
    );
  }
}

function isOfSteps({ expressions = [] }: ParameterText): boolean {
  return expressions.every(({ expression: { names, tree } }) => names.size === 1 && names.has('steps') && fieldAccess(tree));
}
