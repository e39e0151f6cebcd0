import { restrictionOf } from '#src/clients/operation/audience.ts';
import type { Declared } from '#src/clients/operation/declared.ts';
import type { Path } from '#src/rules/document/report.ts';
import type { StepDraft } from '#src/rules/grammar/rule-file.ts';
import type { Step } from '#src/rules/step.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import { shapeAt, textOf } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
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
  const visibility = declared.kind === 'list' || path[0] === 'when' ? shapeAt(itemShape(declared), ['visibility']) : undefined;
  const choices = (visibility && textOf(visibility)?.choices) ?? [];
  const restricted = choices.filter((choice) => restrictionOf({ visibility: choice }) !== undefined);
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
