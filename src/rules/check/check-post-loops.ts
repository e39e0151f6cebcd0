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
/** A search also finds posts of the account itself. */
const SEARCH = 'social.search';
/** The steps whose messages the list of a channel shows. */
const MESSAGES: ReadonlySet<string> = new Set(['discord.send', 'discord.ask']);

interface RuleParts {
  readonly draft: RuleDraft;
  readonly watched: Watched;
  readonly placed: readonly PlacedStep[];
}

/** The fields of a conversation that change with a message of the account itself. */
const LAST_MESSAGE = /^(?:lastMessage|messages)\b/u;

/** Warns of a rule that answers each change of a conversation: its own answer is a change too. */
function checkInboxLoop(parts: RuleParts, { document, report }: CheckContext): void {
  const { verb, changes } = parts.watched;
  const follows = changes.some((change) => change.kind === 'changed' && change.fields.some((field) => LAST_MESSAGE.test(field)));
  if (verb !== 'social.getInbox' || !follows) return;
  const through = writingAccounts(parts, { fields: ['lastMessage.sender'], isShown: ({ draft }) => draft.do === 'social.sendMessage' });
  if (through.length === 0) return;
  const message = `the rule reads and writes direct messages through ${formatList(through, 'and')}: it can answer its own ones without end`;
  report.warning(document.locationOf(['when', 'watch']), 'own-posts', message, 'add if: "!item.lastMessage.sender.self"');
}

/** The steps that edit what a list shows: the parameter that names it, and the field with its text. */
const EDITS: ReadonlyMap<string, { readonly target: string; readonly text: string }> = new Map([
  ['social.editPost', { target: 'post', text: 'text' }],
  ['discord.edit', { target: 'message', text: 'content' }],
]);
/** The fields that an edit changes. */
const EDITED = /^(?:content|editedAt|embeds|text|warning)\b/u;
const ITSELF = /^\s*\$\{\{\s*(?:change\.)?item\.id\s*\}\}\s*$/u;

/** Warns of a rule that edits an item when it changes: the edit is a change too. A condition on the text can end that. */
function checkEditLoop({ draft, watched, placed }: RuleParts, { document, report }: CheckContext): void {
  const fields = watched.changes.flatMap((change) => (change.kind === 'changed' ? change.fields.filter((one) => EDITED.test(one)) : []));
  if (fields.length === 0) return;
  for (const { draft: step, path } of placed) {
    const { target = '', text = '' } = EDITS.get(step.do ?? '') ?? {};
    const edited = step.with?.[target];
    const field = fields.find((one) => one.startsWith('editedAt') || Object.keys(step.with ?? {}).some((part) => one.startsWith(part)));
    const conditions = [draft.when?.where, draft.if, step.if].join(' ');
    // The kind of the change and kept values can end it too.
    const isTested = conditions.includes(`item.${text}`) || /\b(?:keep|previous)\b|\bchange\.kind\s*==\s*["']entered/u.test(conditions);
    if (field === undefined || typeof edited !== 'string' || !ITSELF.test(edited) || isTested) continue;
    const message = `the rule edits an item when its ${field} changes, and each edit is a change too: it can edit without end`;
    const hint = `add an if that is false after the edit, for example if: "!item.${text}.contains('edited')"`;
    report.warning(document.locationOf([...path, 'do']), 'own-edits', message, hint);
  }
}

/** Warns of a rule that reads posts or messages where it also writes them: it could answer its own ones without end. */
export function checkPostLoops(parts: RuleParts, context: CheckContext): void {
  const { document, report, catalogue } = context;
  const { watched } = parts;
  const { verb, kind, changes, per } = watched;
  if (report.hasErrors) return;
  checkInboxLoop(parts, context);
  checkEditLoop(parts, context);
  const hasNewOnes = (kind === 'feed' || verb === SEARCH) && !OF_OTHERS.has(verb) && changes.some((change) => change.kind === 'entered');
  if (!hasNewOnes || per === 'slot') return;
  if (!shapeAt(itemShape(catalogue.get(verb)), ['author', 'self'])) return;
  const channel = verb === 'discord.getMessages' ? channelOf(watched, context) : undefined;
  // The bot itself is a bot.
  const fields = channel === undefined ? ['author.self'] : ['author.self', 'author.bot'];
  const isShown = ({ draft: step }: PlacedStep): boolean =>
    channel === undefined
      ? POSTS.has(step.do ?? '') && (verb !== SEARCH || mayContain(step.with?.['text'], watched.with['keyword']))
      : MESSAGES.has(step.do ?? '') && step.with?.['thread'] === undefined && channelOf(step, context) === channel;
  const through = writingAccounts(parts, { fields, isShown });
  if (through.length === 0) return;
  const [what, where] = channel === undefined ? ['posts', `through ${formatList(through, 'and')}`] : ['messages', `in ${channel}`];
  const message = `the rule reads and writes ${what} ${where}: it can answer its own ${what} without end`;
  report.warning(document.locationOf(['when', 'watch']), 'own-posts', message, 'add !item.author.self to where');
}

/** The accounts through which the rule reads and a step writes what the list shows, without a condition on one of these fields. */
function writingAccounts(
  { draft, watched, placed }: RuleParts,
  { fields, isShown }: { readonly fields: readonly string[]; readonly isShown: (step: PlacedStep) => boolean },
): readonly string[] {
  const isFiltered = (condition: unknown): boolean => fields.some((field) => JSON.stringify(condition ?? '').includes(field));
  if (isFiltered([draft.when?.where, draft.if])) return [];
  return watched.accounts.filter((account) =>
    placed.some((step) => isShown(step) && step.accounts.includes(account) && !isFiltered(step.draft.if)),
  );
}

/** Whether a search for the keyword may find a post with this text. */
function mayContain(text: unknown, keyword: unknown): boolean {
  if (typeof text !== 'string' || typeof keyword !== 'string') return false;
  return text.toLowerCase().includes(keyword.toLowerCase().replaceAll('"', '').trim()) || /\bitem\.\??text\b/u.test(text);
}

/** The channel in parameters, if it is the same for all firings. */
function channelOf({ with: parameters }: Pick<Watched, 'with'> | PlacedStep['draft'], context: CheckContext): string | undefined {
  const channel = parameters?.['channel'];
  return typeof channel === 'string' ? fixedText(channel, context)?.replace(/^#/u, '').toLowerCase() : undefined;
}
