import { newSecret } from '#src/admin/access/secret.ts';
import { z } from 'zod';
import type { NotificationEndpoint } from '#src/clients/operation/notification-request.ts';
import type { Config } from '#src/config/config.ts';
import { isFault } from '#src/http/errors.ts';
import type { Log } from '#src/log.ts';
import type { Store } from '#src/store/store.ts';
import { storedTokensIn } from './stored-tokens.ts';

/** The path of the notifications of all accounts, below the public address. */
const PATH = '/hooks/notifications/';

const Kept = z.object({ secret: z.string().min(1) });

interface EndpointsOptions {
  readonly config: Pick<Config, 'publicUrl' | 'dataDirectory' | 'key'>;
  readonly store: Pick<Store, 'sealedRows' | 'subscriptionsOf'>;
  readonly log: Log;
}

/** The endpoints of accounts below the public address, and their secrets. */
export interface NotificationEndpoints {
  /** The endpoint of an account; undefined without a public address. */
  readonly endpointOf: (account: string) => NotificationEndpoint | undefined;
  /** The stored secret of an account; undefined: there is none yet. */
  readonly secretOf: (account: string) => Promise<string | undefined>;
}

/** Creates the endpoints. Each installation has a random secret for each account, which is encrypted like stored tokens. */
export function notificationEndpoints({ config, store, log }: EndpointsOptions): NotificationEndpoints {
  const tokensOf = storedTokensIn(store, config, log);
  const secrets = new Map<string, string>();

  /** A secret that another key encrypted cannot be read, and is replaced. */
  async function load(account: string): Promise<string | undefined> {
    const known = secrets.get(account);
    if (known !== undefined) return known;
    const stored = await tokensOf(rowOf(account))
      .load()
      .catch((error: unknown) => {
        if (isFault(error, 'unauthorized')) return undefined;
        throw error;
      });
    const { data } = Kept.safeParse(stored);
    if (data) secrets.set(account, data.secret);
    return data?.secret;
  }

  async function create(account: string): Promise<string> {
    const secret = newSecret();
    await tokensOf(rowOf(account)).save({ secret });
    secrets.set(account, secret);
    return secret;
  }

  return {
    secretOf: load,
    endpointOf(account) {
      if (config.publicUrl === undefined) return undefined;
      return {
        url: `${config.publicUrl.replace(/\/+$/u, '')}${PATH}${encodeURIComponent(account)}`,
        secret: async () => (await load(account)) ?? create(account),
        subscriptions: store.subscriptionsOf(account),
      };
    },
  };
}

/** The row of a secret beside the rows of stored tokens. Names of accounts have no space. */
function rowOf(account: string): string {
  return `notifications of ${account}`;
}
