import { accountForAllServers } from '#src/rules/accounts.ts';
import { accountsOn, addressOf, type Account } from './accounts.ts';
import { readBudgets, type Budgets } from './budgets.ts';
import { namesFor, readDefaults, type Defaults, withPostDefaults } from './defaults.ts';
import { toDiscordSettings, type DiscordServer, type DiscordSettings } from './discord-settings.ts';
import { readDiscordSignIn, type DiscordSignInSettings } from './discord-sign-in.ts';
import { configuredAccounts } from './configured-accounts.ts';
import { readEnvironment, type Environment } from './environment.ts';
import type { FanfareFile, FileMistake } from './fanfare-file.ts';
import { readVariables } from './variable-lines.ts';
import { readSenderSecrets, readWebhooks, type SenderSecret, type WebhookSettings } from './webhooks.ts';

/** The configuration of an installation. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The host names under which browsers may open the page, beside the loopback. */
  readonly allowedHosts: readonly string[];
  /** The address under which people reach the page; absent: messages do not link it. */
  readonly publicUrl?: string | undefined;
  /** The addresses and networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count. */
  readonly trustedProxies: readonly string[];
  readonly dataDirectory: string;
  /** The origins in private networks whose feeds rules may read. */
  readonly feedOrigins: readonly string[];
  /** Whether the hubs of feeds notify at the public address. */
  readonly feedWebSub: boolean;
  /** The PostgreSQL database with the state; absent if the state is in a file of the data directory. */
  readonly databaseUrl?: string | undefined;
  readonly rulesDirectory: string;
  /** Whether a process of many may publish its rules folder. */
  readonly watchesRules: boolean;
  readonly logLevel: Environment['LOG_LEVEL'];
  /** The id of the process; absent: a new one at each start. */
  readonly worker?: string | undefined;
  /** The receiver of traces; absent: none. */
  readonly traces?: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly service: string } | undefined;
  /** The key that seals secrets; absent if it is in a file of the data directory. */
  readonly key?: string | undefined;
  /** The search for GIFs; absent without a provider. */
  readonly giphy?: { readonly apiKey: string; readonly url: string } | undefined;
  /** The accounts with credentials. */
  readonly accounts: readonly Account[];
  /** The accounts of rules without `account`. */
  readonly defaults: Defaults;
  /** The budgets of accounts; absent entries have none. */
  readonly budgets: Budgets;
  readonly discord: DiscordSettings;
  /** The sign-in with Discord; absent: people sign in with passwords. */
  readonly discordSignIn?: DiscordSignInSettings | undefined;
  /** The receivers of events. */
  readonly webhooks: readonly WebhookSettings[];
  /** The secrets of the senders of incoming webhooks, by the name of the webhook. */
  readonly senderSecrets: ReadonlyMap<string, SenderSecret>;
  /** The Discord servers of the bot. */
  readonly servers: readonly DiscordServer[];
  /**
   * `inside`: there are no credentials, so the sandbox runs in this process. `outside`: all credentials belong to one sandbox elsewhere.
   * `none`: real accounts.
   */
  readonly sandbox: 'inside' | 'outside' | 'none';
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A configuration and the mistakes in its file. */
export interface MergedConfig {
  readonly config: Config;
  readonly mistakes: readonly FileMistake[];
}

/** Reads the configuration from the environment alone; throws a `ConfigError` for mistakes. */
export function configOfEnvironment(variables: Variables): Config {
  return mergeConfig(variables).config;
}

/** Joins the environment and `fanfare.yaml`. */
export function mergeConfig(variables: Variables, file: FanfareFile = {}): MergedConfig {
  return readVariables(variables, () => merge(variables, file));
}

function merge(variables: Variables, file: FanfareFile): MergedConfig {
  const environment = readEnvironment(variables);
  const mistakes: FileMistake[] = [];
  const onMistake = (mistake: FileMistake): void => void mistakes.push(mistake);
  const discord = toDiscordSettings(file.discord);
  const configured = configuredAccounts(file, {
    environment,
    variables,
    zone: discord.zone,
    onMistake,
  });
  const accounts = withOtherServers(withPostDefaults(configured, file, onMistake), discord);
  const sandbox = sandboxOf(accounts);
  const namesOf = (client: keyof Defaults): readonly string[] => namesFor(client, { accounts, onSandbox: sandbox === 'inside' });
  const defaults = readDefaults(file, { namesOf, onMistake });
  const budgets = readBudgets(file, { accounts, onMistake });
  if (!discord.gateway && discord.publicKey === undefined) {
    const hint = 'add publicKey from the page of the application, or remove gateway';
    onMistake({
      path: ['discord', 'gateway'],
      message: 'without the gateway, commands come over HTTP, which needs publicKey',
      hint,
    });
  }
  return {
    config: {
      port: environment.PORT,
      host: environment.HOST,
      allowedHosts: environment.FANFARE_ALLOWED_HOSTS,
      publicUrl: environment.FANFARE_PUBLIC_URL,
      trustedProxies: environment.FANFARE_TRUSTED_PROXIES,
      dataDirectory: environment.FANFARE_DATA,
      feedOrigins: environment.FANFARE_FEED_ORIGINS,
      feedWebSub: environment.FANFARE_FEED_WEBSUB === 'on',
      databaseUrl: environment.DATABASE_URL,
      rulesDirectory: environment.FANFARE_RULES,
      watchesRules: environment.FANFARE_RULES_WATCH === 'on',
      logLevel: environment.LOG_LEVEL,
      worker: environment.FANFARE_WORKER,
      traces: tracesOf(environment),
      key: environment.FANFARE_KEY,
      giphy: environment.GIPHY_API_KEY === undefined ? undefined : { apiKey: environment.GIPHY_API_KEY, url: environment.GIPHY_API_URL },
      accounts,
      defaults,
      budgets,
      discord,
      discordSignIn: readDiscordSignIn(file, environment, onMistake),
      webhooks: readWebhooks(file, variables, onMistake),
      senderSecrets: readSenderSecrets(variables),
      servers: serversOf(accounts),
      sandbox,
    },
    mistakes,
  };
}

/** The receiver of traces, as the OpenTelemetry variables name it. */
function tracesOf(environment: Environment): Config['traces'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = {}, OTEL_SERVICE_NAME: service } = environment;
  const url = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (endpoint === undefined ? undefined : `${endpoint}/v1/traces`);
  return url === undefined ? undefined : { url, headers, service };
}

function serversOf(accounts: readonly Account[]): readonly DiscordServer[] {
  return accountsOn('discord', accounts).map(({ account, server: id, zone }) => ({ account, id, zone }));
}

/** The rule over followed streamers announces in each served server, through one account. */
function withOtherServers(accounts: readonly Account[], { servers }: Pick<DiscordSettings, 'servers'>): readonly Account[] {
  const ofDiscord = accountsOn('discord', accounts);
  const name = accountForAllServers(ofDiscord.map(({ account }) => account));
  const listed = ofDiscord.filter(({ account }) => account !== name).map(({ server }) => server);
  const otherServers = servers === 'any' ? servers : listed;
  return accounts.map((one) => (one.platform === 'discord' && one.account === name ? { ...one, otherServers } : one));
}

function sandboxOf(accounts: readonly Account[]): Config['sandbox'] {
  if (accounts.length === 0) return 'inside';
  const origins = new Set(accounts.map((account) => new URL(addressOf(account)).origin));
  return accountsOn('sandbox', accounts).length > 0 && origins.size === 1 ? 'outside' : 'none';
}
