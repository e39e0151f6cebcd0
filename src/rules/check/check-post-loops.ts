import type { RuleDraft } from '#src/rules/grammar/rule-file.ts';
import { formatList } from '#src/rules/messages/format.ts';
import type { Watched } from '#src/rules/rule.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import { shapeAt } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
import { fixedText } from './fixed-values.ts';
import type { PlacedStep } from './place-steps.ts';

/** The steps whose posts a list of posts can show. */
const POSTS: ReadonlySet<string> = new Set(['social.createPost', 'social.createScheduledPost']);
/** These lists show posts of other users only. */
const OF_OTHERS: ReadonlySet<string> = new Set(['social.getMentions', 'social.getPostNotifications']);
/** The steps whose messages the list of a channel shows. */
const MESSAGES: ReadonlySet<string> = new Set(['discord.send', 'discord.ask']);

/** Warns of a rule that reads posts or messages where it also writes them: it could answer its own ones without end. */
export function checkPostLoops(
  { draft, watched, placed }: { readonly draft: RuleDraft; readonly watched: Watched; readonly placed: readonly PlacedStep[] },
  context: CheckContext,
): void {
  const { document, report, catalogue } = context;
  const { verb, kind, accounts, changes, per } = watched;
  const isFeed = kind === 'feed' && !OF_OTHERS.has(verb) && changes.some((change) => change.kind === 'entered');
  if (report.hasErrors || !isFeed || per === 'slot') return;
  if (!shapeAt(itemShape(catalogue.get(verb)), ['author', 'self'])) return;
  const channel = verb === 'discord.getMessages' ? channelOf(watched, context) : undefined;
  // The bot itself is a bot.
  const fields = channel === undefined ? ['author.self'] : ['author.self', 'author.bot'];
  const isFiltered = (condition: unknown): boolean => fields.some((field) => JSON.stringify(condition ?? '').includes(field));
  if (isFiltered([draft.when?.where, draft.if])) return;
  const isShown = ({ draft: step }: PlacedStep): boolean =>
    channel === undefined
      ? POSTS.has(step.do ?? '')
      : MESSAGES.has(step.do ?? '') && step.with?.['thread'] === undefined && channelOf(step, context) === channel;
  const through = accounts.filter((account) =>
    placed.some((step) => isShown(step) && step.accounts.includes(account) && !isFiltered(step.draft.if)),
  );
  if (through.length === 0) return;
  const [what, where] = channel === undefined ? ['posts', `through ${formatList(through, 'and')}`] : ['messages', `in ${channel}`];
  const message = `the rule reads and writes ${what} ${where}: it can answer its own ${what} without end`;
  report.warning(document.locationOf(['when', 'watch']), 'own-posts', message, 'add !item.author.self to where');
}

/** The channel in parameters, if it is the same for all firings. */
function channelOf({ with: parameters }: Pick<Watched, 'with'> | PlacedStep['draft'], context: CheckContext): string | undefined {
  const channel = parameters?.['channel'];
  return typeof channel === 'string' ? fixedText(channel, context)?.replace(/^#/u, '').toLowerCase() : undefined;
}
