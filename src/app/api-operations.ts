import type { Clock } from '#src/clock.ts';
import { lateModule } from '#src/errors.ts';
import type { Config } from '#src/config/config.ts';
import type { Posting } from '#src/engine/posting/posting.ts';
import type { Log } from '#src/log.ts';
import type { Store } from '#src/store/store.ts';
import type { Operations } from '#src/web/api/operations.ts';

interface ApiParts {
  readonly config: Config;
  readonly controls: Operations['actions'] & Operations['queries'];
  readonly listQueries: Operations['lists'];
  readonly registry: Operations['loadedRules'];
  readonly clients: Pick<Operations, 'streaming'>;
  readonly store: Store;
  readonly posting: Pick<Posting, 'allWaiting'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Few people sign in to accounts while Fanfare runs. */
const loadAccountActions = lateModule('the sign-in to accounts', () => import('#src/admin/accounts/account-actions.ts'));

const loadPageSignIn = lateModule('the sign-in to channels', () =>
  Promise.all([import('#src/admin/accounts/page-sign-in.ts'), import('./stored-tokens.ts')]),
);

const loadUsage = lateModule('the use of accounts', () => import('#src/admin/queries/usage-answer.ts'));

/** What the HTTP API reads and does. */
export function apiOperations({
  config,
  controls,
  listQueries,
  registry,
  clients,
  posting,
  store,
  clock,
  log,
  environment,
}: ApiParts): Operations {
  const { auditLog, deliveries, deliveryLog, repeatedRequests } = store;
  return {
    actions: controls,
    queries: controls,
    lists: listQueries,
    loadedRules: registry,
    streaming: clients.streaming,
    findDelivery: (id) => deliveries.find(id),
    failedAttempts: (id) => deliveryLog.failedAttempts(id),
    versions: async () => (await store.ruleVersions?.list()) ?? [],
    servers: () => store.servers.list(),
    waitingPosts: () => posting.allWaiting(),
    storedSchema: async () => (await import('./stored-schema.ts')).storedSchema(config),
    checks: async (signal) => (await import('./check-installation.ts')).checkInstallation(environment, signal),
    accounts: async () => config.accounts.map((await loadAccountActions()).describe),
    accountUsage: async (account) => (await loadUsage()).usageOf(account, { usage: store.accountUsage, clock }),
    async channelSignIn(account) {
      const [{ readInPage }, { storedTokensIn }] = await loadPageSignIn();
      return readInPage(account, { tokensOf: storedTokensIn(store, config, log), clock });
    },
    people: async () => (await store.openAccess()).people.list(),
    tokens: async () => (await store.openAccess()).apiTokens.list(),
    auditLog,
    repeatedRequests,
  };
}
