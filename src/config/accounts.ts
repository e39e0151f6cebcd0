import { ConfigError } from '#src/errors.ts';
import type { Environment } from './environment.ts';

/** The credentials of each platform that has any. */
export interface Credentials {
  readonly twitch?: { readonly clientId: string; readonly clientSecret: string; readonly apiUrl: string; readonly authUrl: string };
  readonly kick?: { readonly clientId: string; readonly clientSecret: string; readonly apiUrl: string; readonly authUrl: string };
  readonly discord?: { readonly token: string; readonly guildId: string; readonly apiUrl: string };
  readonly assistant?: { readonly apiKey: string; readonly model: string; readonly url: string };
  readonly sandbox?: { readonly url: string; readonly token: string };
}

// Variables of platforms that this version has no adapter for, by platform.
const WITHOUT_ADAPTER: Readonly<Record<string, RegExp>> = {
  X: /^X_(CLIENT|BEARER|API|ACCESS)_/,
  Mastodon: /^MASTODON_(URL|TOKEN)$/,
  Bluesky: /^BLUESKY_(HANDLE|APP_PASSWORD)$/,
};

/** The credentials in the environment; half of one is an error that names the other half. */
export function readCredentials(environment: Environment): Credentials {
  const { TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET, KICK_CLIENT_ID, KICK_CLIENT_SECRET } = environment;
  const { DISCORD_TOKEN, DISCORD_GUILD_ID, ASSISTANT_API_KEY, ASSISTANT_MODEL } = environment;
  const { SANDBOX_URL, SANDBOX_TOKEN } = environment;
  const twitch = together({ TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET });
  const kick = together({ KICK_CLIENT_ID, KICK_CLIENT_SECRET });
  const discord = together({ DISCORD_TOKEN, DISCORD_GUILD_ID });
  const assistant = together({ ASSISTANT_API_KEY, ASSISTANT_MODEL });
  const sandbox = together({ SANDBOX_URL, SANDBOX_TOKEN });
  return {
    ...(twitch && {
      twitch: {
        clientId: twitch.TWITCH_CLIENT_ID,
        clientSecret: twitch.TWITCH_CLIENT_SECRET,
        apiUrl: environment.TWITCH_API_URL,
        authUrl: environment.TWITCH_AUTH_URL,
      },
    }),
    ...(kick && {
      kick: {
        clientId: kick.KICK_CLIENT_ID,
        clientSecret: kick.KICK_CLIENT_SECRET,
        apiUrl: environment.KICK_API_URL,
        authUrl: environment.KICK_AUTH_URL,
      },
    }),
    ...(discord && { discord: { token: discord.DISCORD_TOKEN, guildId: discord.DISCORD_GUILD_ID, apiUrl: environment.DISCORD_API_URL } }),
    ...(assistant && {
      assistant: { apiKey: assistant.ASSISTANT_API_KEY, model: assistant.ASSISTANT_MODEL, url: environment.ASSISTANT_URL },
    }),
    ...(sandbox && { sandbox: { url: sandbox.SANDBOX_URL, token: sandbox.SANDBOX_TOKEN } }),
  };
}

/** The platforms that the environment has credentials for and this version no adapter. */
export function withoutAdapter(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  const given = Object.keys(variables).filter((name) => variables[name]);
  return Object.entries(WITHOUT_ADAPTER).flatMap(([platform, names]) => (given.some((name) => names.test(name)) ? platform : []));
}

/** Variables that only work together: all of them, or undefined where none is set. */
function together<K extends string>(variables: Readonly<Record<K, string | undefined>>): Readonly<Record<K, string>> | undefined {
  const names = Object.keys(variables) as K[]; // the keys of a literal
  const missing = names.filter((name) => variables[name] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) {
    const set = names.filter((name) => !missing.includes(name));
    throw new ConfigError(`${missing.join(' and ')} must be set, too, beside ${set.join(' and ')}`, { file: 'the environment' });
  }
  return variables as Readonly<Record<K, string>>; // none is missing
}
