import { ConfigError } from '#src/errors.ts';
import { USUAL_DISCORD_SETTINGS, type DiscordServer, type DiscordSettings } from './discord-settings.ts';
import { readCredentials, withoutAdapter, type Credentials } from './accounts.ts';
import { readEnvironment, type Environment } from './environment.ts';

/** All that the operator decided. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDirectory: string;
  readonly rulesDirectory: string;
  readonly logLevel: Environment['LOG_LEVEL'];
  readonly credentials: Credentials;
  readonly discord: DiscordSettings;
  /** The Discord servers in which the bot is at home. */
  readonly servers: readonly DiscordServer[];
  /**
   * `inside`: no credential was given, so the sandbox plays in this process; `outside`: every credential belongs to one
   * sandbox that runs elsewhere; `none`: real accounts.
   */
  readonly sandbox: 'inside' | 'outside' | 'none';
}

/** The configuration that the environment gives; a `ConfigError` says what cannot be used. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const environment = readEnvironment(variables);
  const unknown = withoutAdapter(variables);
  if (unknown.length > 0) {
    throw new ConfigError(`there is no adapter for ${unknown.join(', ')}: unset its variables`, { file: 'the environment' });
  }
  const credentials = readCredentials(environment);
  return {
    port: environment.PORT,
    host: environment.HOST,
    dataDirectory: environment.FANFARE_DATA,
    rulesDirectory: environment.FANFARE_RULES,
    logLevel: environment.LOG_LEVEL,
    credentials,
    discord: USUAL_DISCORD_SETTINGS,
    servers: serversOf(credentials),
    sandbox: sandboxOf(credentials),
  };
}

/** The server of the account `discord`. */
export function serversOf({ discord }: Credentials): readonly DiscordServer[] {
  return discord ? [{ account: 'discord', id: discord.guildId, zone: 'UTC' }] : [];
}

/** The values that must not be seen anywhere. */
export function secretsOf({ twitch, kick, discord, assistant, sandbox }: Credentials): readonly string[] {
  return [twitch?.clientSecret, kick?.clientSecret, discord?.token, assistant?.apiKey, sandbox?.token].filter(
    (secret) => secret !== undefined,
  );
}

function sandboxOf({ twitch, kick, discord, assistant, sandbox }: Credentials): Config['sandbox'] {
  const urls = [twitch?.apiUrl, kick?.apiUrl, discord?.apiUrl, assistant?.url, sandbox?.url].filter((url) => url !== undefined);
  if (urls.length === 0) return 'inside';
  const origins = new Set(urls.map((url) => new URL(url).origin));
  return sandbox && origins.size === 1 ? 'outside' : 'none';
}
