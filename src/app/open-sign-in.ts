import type { Clock } from '#src/clock.ts';
import { definitionOf, secretsOf, type Account } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { createLog, type Log } from '#src/log.ts';
import type { Store } from '#src/store/store.ts';
import { openConfig } from '#src/config/open-config.ts';
import { makeDataDirectory } from '#src/config/data-directory.ts';
import { warnOfOtherKeys } from './shared-key.ts';
import { openState } from './stored-state.ts';
import { storedTokensIn } from './stored-tokens.ts';
import { identifyAccount } from './identify-account.ts';
import { platformsOf } from './platforms.ts';
import { ruleOperations } from './rule-operations.ts';
import { createSignIn, type SignIn } from '#src/admin/accounts/sign-in.ts';

export interface OpenSigningInOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each log line. */
  readonly write: (line: string) => void;
}

interface SignInToOptions {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the sign-ins of a page that wait for a person. */
  readonly closing?: AbortSignal | undefined;
}

/** Opens the sign-in of `fanfare auth`. */
export async function openSignIn({ environment, write }: OpenSigningInOptions): Promise<SignIn> {
  await using stack = new AsyncDisposableStack();
  const config = openConfig(environment, { isConnecting: true });
  await makeDataDirectory(config);
  const store = stack.use(await openState(config));
  const { clock } = store;

  const log = createLog({ level: 'warn', secrets: secretsOf(config), write, color: false });
  await warnOfOtherKeys(store, config, log);

  const signingIn = signInTo({ config, store, clock, log });
  const opened = stack.move();
  return { ...signingIn, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** The sign-in to the accounts of a configuration, with its tokens in a store. */
export function signInTo({ config, store, clock, log, closing }: SignInToOptions): ReturnType<typeof createSignIn> {
  return createSignIn({
    accounts: config.accounts,
    tokensOf: storedTokensIn(store, config, log),
    async whoIs(account, signal) {
      const parts = { log, store: hasAllCredentials(account) ? withoutTokens(store) : store, clock };
      return identifyAccount(account, { platforms: await platformsOf({ ...config, accounts: [account] }, parts), clock, signal });
    },
    // A running Fanfare sends the waiting deliveries within 30 seconds.
    onSignedIn: (account) => store.deliveries.retryRefused({ account, nowMs: clock.nowMs() }),
    operationsOf: (account) => ruleOperations(account, { config, store, clock }),
    auditLog: store.auditLog,
    clock,
    closing,
  });
}

function hasAllCredentials(account: Account): boolean {
  return definitionOf(account).signIn?.(account) === undefined;
}

/** The store without tokens. A stored session does not test the credentials, and its key may be lost. */
function withoutTokens(store: Store): Store {
  return { ...store, sealedRows: { ...store.sealedRows, load: async () => undefined } };
}
