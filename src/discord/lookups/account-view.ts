import type { AnyClient } from '#src/operation/client.ts';
import { chosenAccount, type Accounts } from './accounts.ts';
import { explained, type Explanations } from './failures.ts';
import { accountField } from './fields.ts';
import type { LookRequest, Sight, View } from './view.ts';

/** What is looked up, and the account that is asked for it. */
export interface AskedOf<C> extends LookRequest {
  readonly client: C;
  /** As ` on Twitch`; empty where there is no other account. */
  readonly on: string;
}

export interface AccountViewOptions<C extends AnyClient> extends Omit<View, 'look'> {
  /** Those that can be asked; the first is where none is named. */
  readonly accounts: Accounts<C>;
  readonly accountsOffered?: 'choices' | 'suggestions' | undefined;
  readonly look: (asked: AskedOf<C>) => Promise<Sight>;
  readonly explanations: (asked: AskedOf<C>) => Explanations;
}

/** Something that accounts are asked for; nothing where there is no such account. */
export function accountView<C extends AnyClient>({ title, fields, accounts, ...options }: AccountViewOptions<C>): readonly View[] {
  if (accounts.size === 0) return [];
  return [
    {
      title,
      fields: [...fields, ...accountField(accounts, options.accountsOffered)],
      async look(request) {
        const { words } = request.asker;
        const asked = { ...request, ...chosenAccount(accounts, request.given, words) };
        return explained(async () => options.look(asked), words, options.explanations(asked));
      },
    },
  ];
}
