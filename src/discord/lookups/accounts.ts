import { PlatformError, UnsupportedOperation, UnsupportedParameter, UserError } from '#src/errors.ts';
import type { AnyClient } from '#src/clients/operation/client.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { oneLine } from '#src/discord/text/untrusted-text.ts';

/** Accounts by name. A look-up without an account asks the first. */
export type Accounts<C extends AnyClient> = ReadonlyMap<string, C>;

/** The accounts whose platform has an operation, and takes a parameter or a value of the operation. */
export function accountsFor<C extends AnyClient>(
  accounts: Accounts<C>,
  operation: string,
  parameter?: string,
  value?: string,
): Accounts<C> {
  return new Map([...accounts].filter(([, client]) => supports(client, operation, parameter, value)));
}

/** Whether the platform of a client has an operation, and takes a parameter or a value of the operation. */
export function supports({ capabilities }: AnyClient, operation: string, parameter?: string, value?: string): boolean {
  const capability = capabilities[operation];
  if (!capability || capability.support === 'unsupported') return false;
  const ofParameter = parameter === undefined ? undefined : capability.parameters?.[parameter];
  if (ofParameter?.support === 'unsupported') return false;
  return value === undefined || ofParameter?.values?.[value]?.support !== 'unsupported';
}

export interface ChosenAccount<C> {
  readonly account: string;
  readonly client: C;
  /** As ` on Twitch`; empty if there is only one account. */
  readonly on: string;
}

/** The account with the name that the user gave, or the first one. */
export function chosenAccount<C extends AnyClient>(
  accounts: Accounts<C>,
  { platform: typed }: { readonly platform?: string },
  { lookups }: Texts,
): ChosenAccount<C> {
  const names = [...accounts.keys()];
  const wanted = typed?.trim().toLowerCase();
  const account = wanted === undefined ? (names[0] ?? '') : (names.find((name) => name.toLowerCase() === wanted) ?? typed ?? '');
  const client = accounts.get(account);
  if (!client) throw new UserError(lookups.noAccount(oneLine(account, 50), names.join(', ')));
  return { account, client, on: accounts.size > 1 ? lookups.on(titleOf(account)) : '' };
}

/** The display name of an account. */
export function titleOf(account: string): string {
  return account.charAt(0).toUpperCase() + account.slice(1);
}

/** Explanations of failures that the user can correct. */
export interface Explanations {
  readonly missing?: string | undefined;
  readonly unsupported?: ((platform: string) => string) | undefined;
}

/** Runs a look-up. Replaces its failures by explanations in the language of the user. */
export async function withExplanations<T>(work: () => Promise<T>, texts: Texts, { missing, unsupported }: Explanations): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (missing !== undefined && error instanceof PlatformError && error.fault === 'missing') throw new UserError(missing);
    if (error instanceof UnsupportedOperation || error instanceof UnsupportedParameter)
      throw new UserError((unsupported ?? texts.lookups.cannot)(titleOf(error.platform)));
    throw error;
  }
}
