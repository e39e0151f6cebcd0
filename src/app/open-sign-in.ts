import type { AssistantPlatform } from '#src/assistant/port.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { secretsOf, type Account } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { createLog, type Log } from '#src/log.ts';
import type { Store } from '#src/store/store.ts';
import { openConfig } from '#src/config/open-config.ts';
import { makeDataDirectory } from '#src/config/data-directory.ts';
import { warnOfOtherKeys } from './shared-key.ts';
import { openState } from './stored-state.ts';
import { storedTokensIn } from './stored-tokens.ts';
import { identifyAccount, type IdentifyAccountOptions } from './identify-account.ts';
import { browserSignInOf, createSignIn, type BrowserSignIns, type SignIn } from '#src/sign-in/sign-in.ts';

export interface OpenSigningInOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each log line. */
  readonly write: (line: string) => void;
  /** The adapters of accounts. */
  readonly platformsOf: (
    config: Config,
    parts: { readonly log: Log; readonly store: Store; readonly models: readonly AssistantPlatform[]; readonly clock: Clock },
  ) => Promise<IdentifyAccountOptions['platforms']>;
  readonly signIns: BrowserSignIns;
}

/** Opens the sign-in of `fanfare auth`. */
export async function openSignIn({ environment, write, platformsOf, signIns }: OpenSigningInOptions): Promise<SignIn> {
  await using stack = new AsyncDisposableStack();
  const config = openConfig(environment);
  await makeDataDirectory(config);
  const clock = systemClock;
  const store = stack.use(await openState(config, { clock }));

  const log = createLog({ level: 'warn', secrets: secretsOf(config), write, color: false });
  await warnOfOtherKeys(store, config, log);

  const signingIn = createSignIn({
    accounts: config.accounts,
    tokensOf: storedTokensIn(store, config, log),
    async whoIs(account, signal) {
      const parts = { log, store: hasPassword(account) ? withoutTokens(store) : store, models: [], clock };
      return identifyAccount(account, { platforms: await platformsOf({ ...config, accounts: [account] }, parts), clock, signal });
    },
    // A running Fanfare sends the waiting deliveries within 30 seconds.
    onSignedIn: (account) => store.deliveries.retryRefused({ account, nowMs: clock.nowMs() }),
    browser: (account) => browserSignInOf(account, signIns),
  });
  const opened = stack.move();
  return { ...signingIn, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

function hasPassword(account: Account): boolean {
  return account.platform === 'bluesky' && account.appPassword !== undefined;
}

/** The store without tokens. A stored session does not test the password, and its key may be lost. */
function withoutTokens(store: Store): Store {
  return { ...store, sealedRows: { ...store.sealedRows, load: async () => undefined } };
}
