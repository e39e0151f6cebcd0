import { z } from 'zod';
import { ConfigError } from '#src/errors.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const url = z
  .url({ protocol: /^https?$/, error: 'write an address with http:// or https://' })
  .transform((address) => address.replace(/\/+$/, ''));
const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, { error: 'write a whole number from 0 to 65535' })
  .transform(Number);

/** Host names, separated by commas or spaces. */
const hostNames = z
  .string()
  .transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/u)
      .filter((name) => name !== ''),
  )
  .refine((names) => names.every((name) => URL.parse(`http://${name}`)?.hostname === name), {
    error: 'write host names as fanfare.example, without http:// and without a port',
  });

/** The environment variables of docs/configuration.md. */
const Environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().default('127.0.0.1'),
  FANFARE_ALLOWED_HOSTS: hostNames.default([]),
  FANFARE_DATA: z.string().default('./data'),
  FANFARE_RULES: z.string().default('./rules'),
  FANFARE_KEY: z.string().optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `use one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  TWITCH_CLIENT_ID: z.string().optional(),
  TWITCH_CLIENT_SECRET: z.string().optional(),
  TWITCH_API_URL: url.default('https://api.twitch.tv/helix'),
  TWITCH_AUTH_URL: url.default('https://id.twitch.tv/oauth2'),
  KICK_CLIENT_ID: z.string().optional(),
  KICK_CLIENT_SECRET: z.string().optional(),
  KICK_API_URL: url.default('https://api.kick.com'),
  KICK_AUTH_URL: url.default('https://id.kick.com'),
  DISCORD_TOKEN: z.string().optional(),
  DISCORD_GUILD_ID: z.string().optional(),
  DISCORD_API_URL: url.default('https://discord.com/api'),
  ASSISTANT_API_KEY: z.string().optional(),
  ASSISTANT_MODEL: z.string().optional(),
  ASSISTANT_URL: url.default('https://api.openai.com/v1'),
  X_CLIENT_ID: z.string().optional(),
  X_CLIENT_SECRET: z.string().optional(),
  X_BEARER_TOKEN: z.string().optional(),
  X_API_KEY: z.string().optional(),
  X_API_SECRET: z.string().optional(),
  X_ACCESS_TOKEN: z.string().optional(),
  X_ACCESS_SECRET: z.string().optional(),
  X_API_URL: url.default('https://api.x.com'),
  BLUESKY_HANDLE: z.string().optional(),
  BLUESKY_APP_PASSWORD: z.string().optional(),
  BLUESKY_URL: url.default('https://bsky.social'),
  BLUESKY_PLC_URL: url.optional(),
  BLUESKY_VIDEO_URL: url.optional(),
  MASTODON_URL: url.optional(),
  MASTODON_TOKEN: z.string().optional(),
  GIPHY_API_KEY: z.string().optional(),
  GIPHY_API_URL: url.default('https://api.giphy.com/v1'),
  SANDBOX_URL: url.optional(),
  SANDBOX_TOKEN: z.string().optional(),
});
export type Environment = z.output<typeof Environment>;

/** Validates the environment variables. Empty ones count as absent. The error lists all mistakes. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Environment.safeParse(set);
  if (parsed.success) return parsed.data;
  // The value could be a secret in the wrong variable, so it is never shown.
  const mistakes = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new ConfigError(mistakes.join('\n'), { file: 'the environment' });
}
