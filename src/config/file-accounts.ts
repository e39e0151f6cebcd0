import { PLATFORMS, type Account } from './accounts.ts';
import type { Environment } from './environment.ts';
import { SECRET, type FanfareFile, type FileMistake } from './file-form.ts';

type FileAccount = NonNullable<FanfareFile['accounts']>[string];

export interface FileAccountsOptions {
  readonly environment: Environment;
  /** All variables, because secrets may have any name. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The default time zone of servers. */
  readonly zone: string;
  /** The accounts from the environment. */
  readonly others: readonly Account[];
  readonly onMistake: (mistake: FileMistake) => void;
}

const NAME = /^[a-z][a-z0-9_]{0,39}$/iu;
/** The operations of the history use this account name. */
const RESERVED_NAME = 'history';

/** The accounts of the file with their secrets. An account with a mistake is left out. */
export function fileAccounts({ accounts = {} }: FanfareFile, options: FileAccountsOptions): readonly Account[] {
  const { others, onMistake } = options;
  const servers = new Map(others.flatMap((one) => (one.platform === 'discord' ? [[one.guildId, one.account] as const] : [])));
  return Object.entries(accounts).flatMap(([name, written]) => {
    const mistake = nameMistake(name, written, others);
    if (mistake) onMistake({ ...mistake, path: ['accounts', name], isKey: true });
    const account = toAccount(name, written, options);
    if (account?.platform !== 'discord') return account ?? [];
    const first = servers.get(account.guildId);
    if (first !== undefined) {
      const message = `the account ${first} already uses this server`;
      onMistake({ path: ['accounts', name, 'server'], message, hint: 'use that account, or another server' });
    }
    servers.set(account.guildId, name);
    return account;
  });
}

function nameMistake(
  name: string,
  { platform }: FileAccount,
  others: readonly Account[],
): Pick<FileMistake, 'message' | 'hint'> | undefined {
  if (!NAME.test(name)) {
    return { message: `${name} is not a valid account name`, hint: 'use letters, digits and _, starting with a letter, as mastodon_de' };
  }
  if (others.some(({ account }) => account === name)) {
    return {
      message: `the environment also has an account ${name}`,
      hint: 'rename this account, or unset the variables of the other one',
    };
  }
  const isOfAnother = name !== platform && PLATFORMS.some((each) => each === name);
  return name === RESERVED_NAME || isOfAnother
    ? { message: `a ${platform} account cannot have the name ${name}`, hint: 'use another name' }
    : undefined;
}

function toAccount(name: string, written: FileAccount, options: FileAccountsOptions): Account | undefined {
  const { environment, zone, onMistake } = options;

  /** The value of a secret's variable; reports a missing one. */
  function secret(key: string, text: string): string {
    const [, variable = ''] = SECRET.exec(text) ?? [];
    const value = options.variables[variable];
    if (value) return value;
    onMistake({
      path: ['accounts', name, key],
      message: `${variable} is not set`,
      hint: `write ${variable}=… in .env, or set it in the environment`,
    });
    return '';
  }

  const optionalSecret = (key: string, text: string | undefined): string | undefined =>
    text === undefined ? undefined : secret(key, text);

  switch (written.platform) {
    case 'twitch': {
      const { TWITCH_API_URL: apiUrl, TWITCH_AUTH_URL: authUrl } = environment;
      return { ...written, account: name, clientSecret: secret('clientSecret', written.clientSecret), apiUrl, authUrl };
    }
    case 'kick': {
      const { KICK_API_URL: apiUrl, KICK_AUTH_URL: authUrl } = environment;
      return { ...written, account: name, clientSecret: secret('clientSecret', written.clientSecret), apiUrl, authUrl };
    }
    case 'x':
      return {
        ...written,
        account: name,
        clientSecret: optionalSecret('clientSecret', written.clientSecret),
        bearerToken: optionalSecret('bearerToken', written.bearerToken),
        apiKey: optionalSecret('apiKey', written.apiKey),
        apiSecret: optionalSecret('apiSecret', written.apiSecret),
        accessToken: optionalSecret('accessToken', written.accessToken),
        accessSecret: optionalSecret('accessSecret', written.accessSecret),
        apiUrl: environment.X_API_URL,
      };
    case 'bluesky': {
      const appPassword = optionalSecret('appPassword', written.appPassword);
      const { BLUESKY_URL, BLUESKY_PLC_URL: plcUrl, BLUESKY_VIDEO_URL: videoUrl } = environment;
      return { ...written, account: name, appPassword, url: (written.url ?? BLUESKY_URL).replace(/\/+$/u, ''), plcUrl, videoUrl };
    }
    case 'mastodon':
      return { ...written, account: name, token: optionalSecret('token', written.token), url: written.url.replace(/\/+$/u, '') };
    case 'assistant':
      return {
        ...written,
        account: name,
        apiKey: secret('apiKey', written.apiKey),
        url: (written.url ?? environment.ASSISTANT_URL).replace(/\/+$/u, ''),
      };
    case 'sandbox':
      return { ...written, account: name, token: secret('token', written.token), url: written.url.replace(/\/+$/u, '') };
    case 'discord': {
      const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } = environment;
      if (token !== undefined)
        return { platform: 'discord', account: name, token, guildId: written.server, zone: written.zone ?? zone, apiUrl };
      const hint = 'one bot serves all servers: set its token in DISCORD_TOKEN';
      onMistake({ path: ['accounts', name], message: 'DISCORD_TOKEN is not set', hint });
      return undefined;
    }
  }
}
