import type { RuleDraft } from '#src/rules/grammar/rule-file.ts';
import { formatList } from '#src/rules/messages/format.ts';
import type { Watched } from '#src/rules/rule.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import { shapeAt } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
import type { PlacedStep } from './place-steps.ts';

/** The steps whose posts a list of posts can show. */
const POSTS: ReadonlySet<string> = new Set(['social.createPost', 'social.createScheduledPost']);
/** These lists show posts of other users only. */
const OF_OTHERS: ReadonlySet<string> = new Set(['social.getMentions', 'social.getPostNotifications']);

/** Warns of a rule that reads posts through an account through which it also posts: it could answer its own posts without end. */
export function checkPostLoops(
  { draft, watched, placed }: { readonly draft: RuleDraft; readonly watched: Watched; readonly placed: readonly PlacedStep[] },
  { document, report, catalogue }: CheckContext,
): void {
  const { verb, kind, accounts, changes, per } = watched;
  const isFeed = kind === 'feed' && !OF_OTHERS.has(verb) && changes.some((change) => change.kind === 'entered');
  if (report.hasErrors || !isFeed || per === 'slot') return;
  if (!shapeAt(itemShape(catalogue.get(verb)), ['author', 'self'])) return;
  const isFiltered = (condition: unknown): boolean => JSON.stringify(condition ?? '').includes('author.self');
  if (isFiltered([draft.when?.where, draft.if])) return;
  const through = accounts.filter((account) =>
    placed.some((step) => POSTS.has(step.draft.do ?? '') && step.accounts.includes(account) && !isFiltered(step.draft.if)),
  );
  if (through.length === 0) return;
  const message = `the rule reads and writes posts through ${formatList(through, 'and')}: it can answer its own posts without end`;
  report.warning(document.locationOf(['when', 'watch']), 'own-posts', message, 'add !item.author.self to where');
}
