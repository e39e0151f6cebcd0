import { fieldAccess } from '../../expression/language/tree.ts';
import { parseTemplate } from '../../grammar/template.ts';
import type { Desk } from '../desk.ts';
import type { ParameterText } from '../parameters/check-parameters.ts';
import type { PlacedStep } from '../place-steps.ts';

/**
 * Warns of a text that says something only beside what other steps gave: where those are not sent it goes out without,
 * as an announcement must that merely mentions a post.
 */
export function warnOfAbsence(texts: readonly ParameterText[], { draft, path }: PlacedStep, { document, report }: Desk): void {
  if (draft.if !== undefined) return;
  for (const { text, shape, expressions = [], path: at } of texts) {
    const { pieces } = parseTemplate(text);
    const own = pieces
      .map((piece) => ('text' in piece ? piece.text : ' '))
      .join('')
      .trim();
    const [first] = expressions;
    const isOfSteps = expressions.every(({ expression: { names, tree } }) => names.size === 1 && names.has('steps') && fieldAccess(tree));
    if (!first || !isOfSteps || shape?.kind !== 'text' || shape.markup === undefined || !/[\p{L}\p{N}]/u.test(own)) continue;
    const { expression } = first;
    const [step = ''] = [...expression.reads.keys()].map((read) => read.split('.')[0]);
    report.warning(
      document.textSpot([...path, 'with', ...at], first.at),
      `where the step ${step} is not sent, all that this says is "${own}"`,
      `to say nothing then, add if: ${expression.source} != ""`,
    );
  }
}
