import { constraintOf } from '#src/rules/expression/constraints.ts';
import { chainOf } from '#src/rules/expression/decided-clauses.ts';
import type { WhenDraft } from '#src/rules/grammar/rule-file.ts';
import type { Watched } from '#src/rules/rule.ts';
import type { CheckContext } from './check-context.ts';
import { whereTree } from './check-watch.ts';

/** Values that only one item of a ranking has. A ranking whose items have a name is one of games or trends. */
const UNIQUE = /^item\.(?:id|url|name|owner\.(?:id|url|handle|displayName))(?:\.(?:lower|upper)Ascii\(\))?$/u;

/** Warns of a `where` that leaves fewer items than `take` counts, because the author wants the rank in the whole list. */
export function checkTake(when: WhenDraft, { kind, take }: Pick<Watched, 'kind' | 'take'>, context: CheckContext): void {
  if (take === undefined || kind !== 'ranking') return;
  const tree = whereTree(when, context);
  const chosen =
    tree &&
    chainOf(tree, '&&')
      .flatMap((clause) => constraintOf(clause) ?? [])
      .find(({ subject, excludes, limits }) => !excludes && limits.length <= take && UNIQUE.test(subject));
  if (!chosen) return;
  const { document, report } = context;
  const fitting = chosen.limits.length === 1 ? 'one item fits' : `${chosen.limits.length} items fit`;
  const message = `where comes before take: at most ${fitting} it, so take: ${take} has no effect`;
  report.warning(
    document.keyLocation(['when'], 'take'),
    'take-without-effect',
    message,
    'write the condition as if of the rule, beside when',
  );
}
