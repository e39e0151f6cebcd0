import { plainValue } from '../document/plain-value.ts';
import { conditionSource } from '../expression/condition.ts';
import { expressionsOf } from '../expression/expressions.ts';
import type { Given } from '../expression/never-true.ts';
import type { WhenDraft } from '../grammar/rule-file.ts';
import { isTemplate } from '../grammar/template.ts';
import type { Watched } from '../rule.ts';
import { itemPlace } from './check-watch.ts';
import type { Desk } from './desk.ts';
import { textsIn } from './parameters/texts-in.ts';

/** What holds of the item and the change of every firing when it begins; undefined where nobody knows. */
export function givenOf(when: WhenDraft, watched: Watched | undefined, desk: Desk): Given | undefined {
  const { report, document, catalogue } = desk;
  if (!watched || watched.per !== 'item' || report.hasErrors) return undefined;
  // Each rule of `each` may fire for changes of its own, and the condition is written for all of them.
  if (textsIn(plainValue(document, ['when', 'changes'], { kind: 'anything' })).some(({ text }) => isTemplate(text))) return undefined;
  const kinds = [...new Set(watched.changes.map(({ kind }) => kind))];
  // What has left is told as it was last, whether it left the list or no longer fits.
  const where = kinds.includes('left') ? undefined : when.where;
  return {
    where: where === undefined ? undefined : expressionsOf(catalogue).compile(conditionSource(where).source, itemPlace(when, desk)).tree,
    kinds,
    watch: watched.kind,
  };
}
