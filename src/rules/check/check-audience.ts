import { restrictionOf } from '#src/operation/audience.ts';
import type { Declared } from '#src/operation/declared.ts';
import type { WhenDraft } from '../grammar/rule-file.ts';
import type { Watched } from '../rule.ts';
import { itemShape } from '../shape/operation-shapes.ts';
import { shapeAt, textOf } from '../shape/shape.ts';
import type { CheckContext } from './check-context.ts';

/** Checks `include` against the items of the watched operation. */
export function checkInclude(
  { include, watch: verb }: WhenDraft,
  declared: Declared,
  { document, report }: CheckContext,
): Watched['include'] {
  const visibility = shapeAt(itemShape(declared), ['visibility']);
  const choices = (visibility && textOf(visibility)?.choices) ?? [];
  const restricted = choices.filter((choice) => restrictionOf({ visibility: choice }) !== undefined);
  if (include !== undefined) {
    if (restricted.length === 0) {
      const message = `include has no effect: everyone can read the items of ${verb}`;
      report.warning(document.keyLocation(['when'], 'include'), 'idle-include', message, 'remove include');
    }
    return [...new Set(include.filter((restriction) => restriction !== null))].toSorted();
  }
  if (restricted.length > 0 && restricted.length === choices.length) {
    const message = `not everyone can read the items of ${verb}, so the rule would ignore all of them`;
    report.error(document.locationOf(['when', 'watch']), 'restricted-items', message, `add include: [${restricted.join(', ')}]`);
  }
  return undefined;
}
