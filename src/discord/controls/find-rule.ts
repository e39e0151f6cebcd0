import type { DecidedItem, KnownRule } from '#src/admin/queries/records.ts';
import { hash } from 'node:crypto';
import type { SlashCommandStringOption } from 'discord.js';
import type { GoneRule } from '#src/admin/queries/gone-rules.ts';
import type { OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import { UserError } from '#src/errors.ts';
import { localize } from '#src/discord/language/languages.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';

const MAX_NAMED = 10;
/** How many characters of a custom id a name may have. */
const MAX_ID_LENGTH = 32;
const HASHED = '~';

interface Context {
  readonly controls: OperatorQueries;
  readonly texts: Texts;
}

export function ruleOption(isRequired = true): (option: SlashCommandStringOption) => SlashCommandStringOption {
  return (option) =>
    localize(option, (texts) => texts.controls.options.rule)
      .setRequired(isRequired)
      .setAutocomplete(true);
}

/** The rule with a typed id, or all instances of the rule with a typed name. */
export async function findRules(typed: string, { controls, texts }: Context): Promise<readonly [KnownRule, ...KnownRule[]]> {
  const wanted = typed.trim();
  const known = await controls.rules();
  const exact = known.filter(({ id }) => id === wanted);
  const [first, ...others] = exact.length > 0 ? exact : known.filter(({ name }) => name === wanted);
  if (!first) throw await unknownRule(wanted, { controls, texts });
  return [first, ...others];
}

/** The id of the rule with a typed id or name. A name of several instances is an error. */
export async function findRule(typed: string, context: Context): Promise<string> {
  const found = await findRules(typed, context);
  if (found.length === 1) return found[0].id;
  const some = found.slice(0, MAX_NAMED).map(({ id }) => escaped(id, 80));
  throw new UserError(
    context.texts.controls.errors.manyRules(escaped(typed, 80), some.join(', ') + (found.length > MAX_NAMED ? ', …' : '')),
  );
}

/** A rule with a stored history: a known rule, or one that is gone. */
export interface StoredRule {
  readonly id: string;
  readonly gone?: GoneRule | undefined;
}

/** The known rule with a typed id or name; if there is none, the gone rule with the typed id. */
export async function findStoredRule(typed: string, context: Context): Promise<StoredRule> {
  const known = await context.controls.rules();
  const gone = isKnown(typed.trim(), known) ? undefined : (await context.controls.gone()).find(({ id }) => id === typed.trim());
  return gone ? { id: gone.id, gone } : { id: await findRule(typed, context) };
}

function isKnown(wanted: string, known: readonly KnownRule[]): boolean {
  return known.some(({ id, name }) => id === wanted || name === wanted);
}

/** The known or gone rule whose short id is on a button. */
export async function storedRuleByShortId(short: string, { controls, texts }: Context): Promise<StoredRule> {
  const known = (await controls.rules()).find(({ id }) => shortId(id) === short);
  if (known) return { id: known.id };
  const gone = await goneByShortId(short, controls);
  if (!gone) throw noLongerRule(short, texts);
  return { id: gone.id, gone };
}

/** The rule whose short id is on a button. */
export async function ruleByShortId(short: string, { controls, texts }: Context): Promise<KnownRule> {
  const rule = (await controls.rules()).find(({ id }) => shortId(id) === short);
  if (!rule) throw noLongerRule((await goneByShortId(short, controls))?.id ?? short, texts);
  return rule;
}

async function goneByShortId(short: string, controls: OperatorQueries): Promise<GoneRule | undefined> {
  return (await controls.gone()).find(({ id }) => shortId(id) === short);
}

/** The error for a rule that a button or an earlier query has. No hash of an id is shown. */
export function noLongerRule(id: string, { controls: { errors } }: Texts): UserError {
  return new UserError(errors.noLongerRule(id.startsWith(HASHED) ? undefined : escaped(id, 100)));
}

/** The error for a typed rule. */
async function unknownRule(typed: string, { controls, texts }: Context): Promise<UserError> {
  if ((await controls.gone()).some(({ id }) => id === typed)) return noLongerRule(typed, texts);
  const { noRule, brokenFiles } = texts.controls.errors;
  const broken = controls.broken().length;
  return new UserError(noRule(escaped(typed, 100)) + (broken > 0 ? ` ${brokenFiles(broken)}` : ''));
}

/** The key of the item with a typed key or name; the typed text if there is none. */
export function findItem(typed: string, items: readonly DecidedItem[]): string {
  const wanted = typed.toLowerCase();
  const found =
    items.find(({ key }) => key === typed) ??
    items.find(({ reason }) => reason && 'name' in reason && reason.name.toLowerCase() === wanted);
  return found?.key ?? typed;
}

/** The ids and names that contain the typed text; those that start with it come first. */
export function suggestRules(typed: string, known: readonly Pick<KnownRule, 'id' | 'name'>[]): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  const names = [...new Set(known.flatMap(({ id, name }) => (id === name ? [id] : [name, id])))];
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted));
  const starts = (name: string): boolean => name.toLowerCase().startsWith(wanted);
  return [...fitting.filter(starts), ...fitting.filter((name) => !starts(name))];
}

/** A name for a custom id: the name if it is short and plain, otherwise its hash. */
export function shortId(name: string): string {
  return name.length <= MAX_ID_LENGTH && /^[\w/,.@ -]*$/u.test(name) ? name : HASHED + hash('sha256', name, 'base64url').slice(0, 22);
}
