import { z } from 'zod';
import { ConfigError } from '#src/errors.ts';
import { serverAddressRemedy } from '#src/operation/server-address.ts';
import type { JsonSchema } from '#src/rules/schema.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const url = z
  .url({ protocol: /^https?$/, error: ({ input }) => serverAddressRemedy(String(input)), abort: true })
  .refine((address) => serverAddressRemedy(address) === undefined, { error: ({ input }) => serverAddressRemedy(String(input)) })
  .transform((address) => address.replace(/\/+$/, ''));
const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, { error: 'write a whole number from 0 to 65535' })
  .transform(Number)
  .meta({ format: 'port' });

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
  })
  .meta({ format: 'host names' });

/** Pairs as `name=value`, separated by commas. */
const otlpHeaders = z
  .string()
  .refine((text) => text.split(',').every(isHeader), { error: 'write name=value, separated by commas, with percent-encoded values' })
  .transform((text) => Object.fromEntries(text.split(',').map(toHeader)))
  .meta({ format: 'headers' });

function isHeader(pair: string): boolean {
  return /^\s*[^\s=]+=(?:[^%]|%[0-7][0-9a-f])*$/iu.test(pair);
}

function toHeader(pair: string): readonly [string, string] {
  const end = pair.indexOf('=');
  return [pair.slice(0, end).trim(), decodeURIComponent(pair.slice(end + 1).trim())];
}

/** The address of a PostgreSQL database. */
const database = z
  .url({ protocol: /^postgres(?:ql)?$/, error: 'write an address as postgres://user:password@host/database' })
  .meta({ format: 'uri' });

/** The schema of a variable with its documentation. */
function about<T extends z.ZodType>(description: string, example: string, schema: T): T {
  return schema.meta({ description, examples: [example] });
}

/** The environment variables. `npm run docs` writes docs/reference/environment.md from them. */
const Environment = z.object({
  PORT: about('The port of the page and the HTTP API. `0`: the system picks a free port.', '8080', port.default(8080)),
  HOST: about(
    'The address that Fanfare listens on. `0.0.0.0`: all addresses of the machine. The page requires no authentication.',
    '0.0.0.0',
    z.string().default('127.0.0.1'),
  ),
  FANFARE_ALLOWED_HOSTS: about(
    'The host names of the page and the API, separated by commas, without ports. localhost and the address in `HOST` are always allowed.',
    'fanfare.example,pi.local',
    hostNames.default([]),
  ),
  FANFARE_DATA: about(
    'The folder with the state, the key of stored tokens, and the pictures of scheduled posts.',
    '/var/lib/fanfare',
    z.string().default('./data'),
  ),
  DATABASE_URL: about(
    'The PostgreSQL database (15 or newer) with the state of several machines. Without it, the state is in a SQLite file in `FANFARE_DATA`.',
    'postgres://fanfare:…@db.example/fanfare',
    database.optional(),
  ),
  FANFARE_RULES: about(
    'The folder with the rules. `fanfare.yaml` is in the same folder as this one.',
    '/etc/fanfare/rules',
    z.string().default('./rules'),
  ),
  FANFARE_RULES_WATCH: about(
    'With `DATABASE_URL`: whether Fanfare publishes the rules folder of this machine when a file in it changes.',
    'off',
    z.enum(['on', 'off'], { error: 'use on or off' }).default('on'),
  ),
  FANFARE_KEY: about(
    'The key that encrypts the stored tokens of accounts, at least 24 characters, as `openssl rand -base64 32` prints. Without it, Fanfare creates the file `key` in `FANFARE_DATA`, readable only by its owner.',
    'H8f0…',
    z.string().optional(),
  ),
  FANFARE_WORKER: about(
    'The id of this process in metrics, traces and, with PostgreSQL, in log lines. Without it, the name of the machine and a random part.',
    'worker-1',
    z
      .string()
      .regex(/^[\w.-]{1,64}$/u, { error: 'write at most 64 letters, digits, dots, hyphens and underscores' })
      .optional()
      .meta({ format: 'id' }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: about(
    'A receiver of OpenTelemetry traces over OTLP/HTTP with JSON. Fanfare appends `/v1/traces`. Without it, Fanfare writes no traces.',
    'http://127.0.0.1:4318',
    url.optional(),
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: about(
    'The same with the whole address. It has precedence.',
    'http://127.0.0.1:4318/v1/traces',
    url.optional(),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: about(
    'The headers of requests to this receiver: pairs `name=value`, separated by commas. Values are percent-encoded.',
    'authorization=Basic%20dXNlcg',
    otlpHeaders.optional(),
  ),
  OTEL_SERVICE_NAME: about('The name of the service in traces.', 'fanfare-eu', z.string().default('fanfare')),
  LOG_LEVEL: about(
    'The least severe log lines that Fanfare writes.',
    'debug',
    z.enum(LOG_LEVELS, { error: `use one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  ),
  TWITCH_CLIENT_ID: about('Account `twitch`: the client id of the application.', 'gp762nuuoqcoxypju8c569th9wz7q5', z.string().optional()),
  TWITCH_CLIENT_SECRET: about('Account `twitch`: the client secret of the application.', '2h1k…', z.string().optional()),
  TWITCH_API_URL: about(
    'The address of the Twitch API, for a proxy or a sandbox.',
    'http://127.0.0.1:8081/twitch/helix',
    url.default('https://api.twitch.tv/helix'),
  ),
  TWITCH_AUTH_URL: about(
    'The address of the authentication server of Twitch, for a proxy or a sandbox.',
    'http://127.0.0.1:8081/twitch/oauth2',
    url.default('https://id.twitch.tv/oauth2'),
  ),
  KICK_CLIENT_ID: about('Account `kick`: the client id of the application.', '01HZX3ABCD', z.string().optional()),
  KICK_CLIENT_SECRET: about('Account `kick`: the client secret of the application.', '9f3c…', z.string().optional()),
  KICK_API_URL: about(
    'The address of the Kick API, for a proxy or a sandbox.',
    'http://127.0.0.1:8081/kick',
    url.default('https://api.kick.com'),
  ),
  KICK_AUTH_URL: about(
    'The address of the authentication server of Kick, for a proxy or a sandbox.',
    'http://127.0.0.1:8081/kick',
    url.default('https://id.kick.com'),
  ),
  DISCORD_TOKEN: about('The token of the Discord bot.', 'MTIwMjU4…', z.string().optional()),
  DISCORD_GUILD_ID: about(
    'Account `discord`: the id of the server. Not needed if `fanfare.yaml` names the servers.',
    '1202584131993600001',
    z.string().optional(),
  ),
  DISCORD_API_URL: about(
    'The address of the Discord API, for a proxy or a sandbox.',
    'http://127.0.0.1:8081/discord/api',
    url.default('https://discord.com/api'),
  ),
  ASSISTANT_API_KEY: about('Account `assistant`: the API key of the endpoint.', 'sk-…', z.string().optional()),
  ASSISTANT_MODEL: about('Account `assistant`: the name of the model.', 'gpt-5-mini', z.string().optional()),
  ASSISTANT_URL: about('An OpenAI-compatible endpoint.', 'http://localhost:11434/v1', url.default('https://api.openai.com/v1')),
  X_CLIENT_ID: about('Account `x`: the OAuth 2.0 client id, for the sign-in with `fanfare auth x`.', 'VGhpc0lzTm90', z.string().optional()),
  X_CLIENT_SECRET: about('Account `x`: the OAuth 2.0 client secret, if the application has one.', 'aB3d…', z.string().optional()),
  X_BEARER_TOKEN: about('Account `x`: reads without a signed-in account.', 'AAAA…', z.string().optional()),
  X_API_KEY: about('Account `x`, OAuth 1.0a: the API key. The four keys of OAuth 1.0a only work together.', 'xvz1…', z.string().optional()),
  X_API_SECRET: about('Account `x`, OAuth 1.0a: the API secret.', 'kAcS…', z.string().optional()),
  X_ACCESS_TOKEN: about('Account `x`, OAuth 1.0a: the access token.', '3707…', z.string().optional()),
  X_ACCESS_SECRET: about('Account `x`, OAuth 1.0a: the access token secret.', 'LswM…', z.string().optional()),
  X_API_URL: about('The address of the X API, for a proxy or a sandbox.', 'http://127.0.0.1:8081/x', url.default('https://api.x.com')),
  BLUESKY_HANDLE: about('Account `bluesky`: the handle, without @.', 'club.bsky.social', z.string().optional()),
  BLUESKY_APP_PASSWORD: about(
    'Account `bluesky`: an app password. Without it, sign in with `fanfare auth bluesky`.',
    'abcd-efgh-ijkl-mnop',
    z.string().optional(),
  ),
  BLUESKY_URL: about('The server of the Bluesky account.', 'https://pds.example', url.default('https://bsky.social')),
  BLUESKY_PLC_URL: about(
    'The directory of Bluesky identities. Without it, `https://plc.directory`.',
    'http://127.0.0.1:8081/bluesky',
    url.optional(),
  ),
  BLUESKY_VIDEO_URL: about(
    'The video service of Bluesky. Without it, the service of Bluesky.',
    'http://127.0.0.1:8081/bluesky',
    url.optional(),
  ),
  MASTODON_URL: about('Account `mastodon`: the server.', 'https://mastodon.social', url.optional()),
  MASTODON_TOKEN: about(
    'Account `mastodon`: an access token. Without it, sign in with `fanfare auth mastodon`.',
    'ZA-Yj3…',
    z.string().optional(),
  ),
  GIPHY_API_KEY: about('The search for GIFs at GIPHY.', 'dc6z…', z.string().optional()),
  GIPHY_API_URL: about('The address of the GIPHY API, for a proxy.', 'http://127.0.0.1:9000/v1', url.default('https://api.giphy.com/v1')),
  SANDBOX_URL: about(
    'Account `sandbox`: the social platform of a sandbox in another process, as `fanfare sandbox` prints it.',
    'http://127.0.0.1:8081/social/api',
    url.optional(),
  ),
  SANDBOX_TOKEN: about('Account `sandbox`: the token of the sandbox.', 'sandbox-…', z.string().optional()),
});
export type Environment = z.output<typeof Environment>;

/** The names of all environment variables that Fanfare reads. */
export function variableNames(): readonly string[] {
  return Object.keys(Environment.shape);
}

/** The JSON Schema of the environment variables, for the reference. */
export function environmentSchema(): JsonSchema {
  const schema = z.toJSONSchema(Environment, { io: 'input' });
  const defaults: Readonly<Record<string, unknown>> = Environment.parse({});
  // zod leaves out the examples and defaults of values that it transforms.
  const properties = Object.entries(Environment.shape).map(([name, variable]) => {
    const { examples } = variable.meta() ?? {};
    return [name, { ...asObject(schema.properties?.[name]), examples, default: defaults[name] }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) } as JsonSchema; // the meta data of a variable has examples as a list
}

function asObject(schema: JsonSchema | boolean | undefined): JsonSchema {
  return typeof schema === 'object' ? schema : {};
}

/** Validates the environment variables. Empty ones count as absent. The error lists all mistakes. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Environment.safeParse(set);
  if (parsed.success) return parsed.data;
  // The value could be a secret in the wrong variable, so it is never shown.
  const mistakes = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new ConfigError(mistakes.join('\n'), { file: 'the environment' });
}
