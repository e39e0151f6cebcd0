import { UserError } from '#src/errors.ts';
import type { AnyClient } from '#src/operation/client.ts';
import type { Words } from '../language/words.ts';
import { oneLine } from '../text/foreign-text.ts';
import type { FieldChoice, Given } from './view.ts';

/** The accounts that can be asked, by name; the first is asked where none is named. */
export type Accounts<C extends AnyClient> = ReadonlyMap<string, C>;

/** Those of the accounts whose platform has an operation, and takes a parameter or a value of it. */
export function accountsFor<C extends AnyClient>(
  accounts: Accounts<C>,
  operation: string,
  parameter?: string,
  value?: string,
): Accounts<C> {
  return new Map([...accounts].filter(([, client]) => has(client, operation, parameter, value)));
}

function has({ capabilities }: AnyClient, operation: string, parameter?: string, value?: string): boolean {
  const capability = capabilities[operation];
  if (!capability || capability.support === 'unsupported') return false;
  const ofParameter = parameter === undefined ? undefined : capability.parameters?.[parameter];
  if (ofParameter?.support === 'unsupported') return false;
  return value === undefined || ofParameter?.values?.[value]?.support !== 'unsupported';
}

/** Of the choices, those whose value some account takes for a parameter. */
export function choicesFor<C extends AnyClient>(
  choices: readonly FieldChoice[],
  accounts: Accounts<C>,
  operation: string,
  parameter: string,
): readonly FieldChoice[] {
  return choices.filter(({ value }) => accountsFor(accounts, operation, parameter, value).size > 0);
}

export interface ChosenAccount<C> {
  readonly account: string;
  readonly client: C;
  /** As ` on Twitch`; empty where there is no other. */
  readonly on: string;
}

/** The account that somebody named, or the first. */
export function chosenAccount<C extends AnyClient>(accounts: Accounts<C>, { account: named }: Given, { lookups }: Words): ChosenAccount<C> {
  const [first = ''] = accounts.keys();
  const account =
    named === undefined ? first : ([...accounts.keys()].find((one) => one.toLowerCase() === named.trim().toLowerCase()) ?? named);
  const client = accounts.get(account);
  if (!client) throw new UserError(lookups.noAccount(oneLine(account, 50), [...accounts.keys()].join(', ')));
  return { account, client, on: accounts.size > 1 ? lookups.on(titleOf(account)) : '' };
}

/** An account as people read it. */
export function titleOf(account: string): string {
  return account.charAt(0).toUpperCase() + account.slice(1);
}
