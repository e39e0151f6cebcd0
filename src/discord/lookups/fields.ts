import { cleanInput } from '#src/admin/queries/find-streamers.ts';
import { UserError } from '#src/errors.ts';
import type { AnyClient } from '#src/clients/operation/client.ts';
import type { Caller } from '#src/discord/caller.ts';
import type { Suggestion } from '#src/discord/command.ts';
import type { Texts, Title } from '#src/discord/language/texts.ts';
import { accountsFor, titleOf, type Accounts } from './accounts.ts';

/** The values of the options of a command, by the English names of the options. */
export type OptionValues = Readonly<Record<string, string>>;

/** A value that the user can pick. */
export interface FieldChoice {
  readonly value: string;
  readonly name: (texts: Texts) => string;
}

/** Suggests values while the user types. `values` are those of the other options. */
export type Suggest = (typed: string, values: OptionValues, caller: Caller) => Promise<readonly Suggestion[]>;

/** An option of a command. */
export interface Field {
  readonly title: (texts: Texts) => Title;
  readonly required?: boolean | undefined;
  readonly choices?: readonly FieldChoice[] | undefined;
  /** Converts the typed text to a value that does not depend on the reader. Throws if the text is invalid. */
  readonly parse?: ((typed: string, caller: Caller) => string) | undefined;
  readonly suggest?: Suggest | undefined;
  /** Whether a typed text can be valid although it is not suggested. Then it is the first suggestion. Absent: only suggestions are valid. */
  readonly accepts?: ((typed: string) => boolean) | undefined;
}

/** A handle on any platform, for example `ada` or `@ada@example.social`. */
const NAME = /^@?[\p{L}\p{N}_][\p{L}\p{N}_.@-]{0,99}$/u;
/** How many choices Discord allows for an option. */
const MAX_CHOICES = 25;

/** The option for the account; absent if there is only one account. */
export function accountField<C extends AnyClient>(accounts: Accounts<C>, offered: 'choices' | 'suggestions' = 'choices'): readonly Field[] {
  if (accounts.size < 2) return [];
  const title = ({ lookups }: Texts): Title => lookups.options.account;
  const all = [...accounts.keys()].map((value) => ({ value, name: titleOf(value) }));
  if (offered === 'choices' && all.length <= MAX_CHOICES)
    return [{ title, choices: all.map(({ value, name }) => ({ value, name: () => name })) }];
  return [{ title, suggest: async (typed) => all.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase())) }];
}

/** An option for the name of a channel or a user, which may also be an address. */
export function nameField(title: Field['title'], suggest: Suggest): Field {
  return { title, required: true, parse: nameIn, suggest, accepts: (typed) => NAME.test(typed) };
}

/** The option for the order of a list, with the orders that some account supports; absent if there is only one order. */
export function sortField<C extends AnyClient>(orders: readonly FieldChoice[], accounts: Accounts<C>, operation: string): readonly Field[] {
  const choices = choicesFor(orders, accounts, operation, 'sort');
  return choices.length < 2 ? [] : [{ title: ({ lookups }) => lookups.options.sort, choices }];
}

/** The choices whose value some account takes for a parameter. */
export function choicesFor<C extends AnyClient>(
  choices: readonly FieldChoice[],
  accounts: Accounts<C>,
  operation: string,
  parameter: string,
): readonly FieldChoice[] {
  return choices.filter(({ value }) => accountsFor(accounts, operation, parameter, value).size > 0);
}

function nameIn(typed: string, { texts: { lookups } }: Pick<Caller, 'texts'>): string {
  const name = inAddress(cleanInput(typed).trim()).replace(/^@/u, '');
  if (name === '') throw new UserError(lookups.nameNeeded);
  return name;
}

function inAddress(typed: string): string {
  if (!/^https?:\/\//iu.test(typed) || !URL.canParse(typed)) return typed;
  return new URL(typed).pathname.split('/').find((part) => part !== '') ?? '';
}
