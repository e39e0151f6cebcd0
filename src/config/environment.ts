import { isIP } from 'node:net';
import { z } from 'zod';
import { textVariable, urlVariable, urlVariableOr, variable, VariableError } from '#adapters/account.ts';
import type { JsonSchema } from '#src/rules/editor-schema.ts';
import { DEFINITIONS } from './accounts.ts';
import { readVariables } from './variable-lines.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, { error: 'write a whole number from 0 to 65535' })
  .transform(Number)
  .meta({ format: 'port' });

const names = z.string().transform((text) =>
  text
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((name) => name !== ''),
);

/** Host names, separated by commas or spaces. */
const hostNames = names
  .refine((names) => names.every((name) => URL.parse(`http://${name}`)?.hostname === name), {
    error: 'write host names as fanfare.example, without http:// and without a port',
  })
  .meta({ format: 'host names' });

/** Origins of servers, separated by commas or spaces. */
const origins = names
  .refine((all) => all.every((origin) => /^https?:/u.test(origin) && URL.parse(origin)?.origin === origin), {
    error: 'write origins without a path, for example http://nas.lan:8080',
  })
  .meta({ format: 'origins' });

/** Addresses and networks, separated by commas or spaces. */
const networks = names
  .refine((all) => all.every(isNetwork), { error: 'write addresses as 10.0.0.5, or networks as 10.0.0.0/8' })
  .meta({ format: 'addresses' });

function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/');
  const version = isIP(address);
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/u.test(bits) && Number(bits) <= (version === 6 ? 128 : 32);
}

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

const DATABASE_FORM =
  'write postgres://user:password@host/database, with special characters of the password encoded, for example @ as %40, / as %2F and # as %23';

/** The address of a PostgreSQL database. */
export const databaseAddress = z
  .url({ protocol: /^postgres(?:ql)?$/, error: DATABASE_FORM, abort: true })
  .refine((address) => !splitsPassword(address), { error: DATABASE_FORM })
  .meta({ format: 'uri' });

/** Whether an address ends its host within the password. Messages would contain the rest of it as the name of the host and the database. */
function splitsPassword(address: string): boolean {
  const { pathname, searchParams, hash } = new URL(address);
  return hash !== '' || pathname.includes('@') || [...searchParams.keys()].some((name) => name.includes('@'));
}

/** The environment variables. `npm run docs` writes docs/reference/environment.md from them. */
const general = {
  PORT: variable('The port of the page and the HTTP API. `0`: the system picks a free port.', '8080', port.default(8080)),
  HOST: variable(
    'The address that Fanfare listens on. `0.0.0.0`: all addresses of the machine. On any other address than the loopback, people have to sign in.',
    '0.0.0.0',
    z.string().default('127.0.0.1'),
  ),
  FANFARE_ALLOWED_HOSTS: variable(
    'The host names of the page and the API, separated by commas, without ports. localhost and the address in `HOST` are always allowed. Under another name than localhost, people have to sign in.',
    'fanfare.example,pi.local',
    hostNames.default([]),
  ),
  FANFARE_PUBLIC_URL: variable(
    'The public address of Fanfare: for links to the page, and for [notifications of platforms](../operating/reverse-proxy.md#notifications-of-platforms). Without it, messages have no links to the page, and platforms that need an address are only polled.',
    'https://fanfare.example',
    z
      .url({ protocol: /^https?$/u, error: 'write an address, for example https://fanfare.example' })
      .meta({ format: 'uri' })
      .optional(),
  ),
  FANFARE_TRUSTED_PROXIES: variable(
    'The addresses and networks of reverse proxies, separated by commas. Only their headers `X-Forwarded-For` and `X-Forwarded-Proto` count.',
    '127.0.0.1,10.0.0.0/8',
    networks.default([]),
  ),
  FANFARE_FEED_ORIGINS: variable(
    'The servers in private networks whose feeds rules may read, separated by commas. Without it, `feed.getItems` reads only the public internet.',
    'http://nas.lan:8080',
    origins.default([]),
  ),
  FANFARE_FEED_WEBSUB: variable(
    'Whether the hubs of feeds notify Fanfare (WebSub), so that rules poll at once. It needs `FANFARE_PUBLIC_URL`.',
    'off',
    z.enum(['on', 'off'], { error: 'use on or off' }).default('on'),
  ),
  FANFARE_DATA: variable(
    'The folder with the state, the key of stored tokens, and the pictures of scheduled posts.',
    '/var/lib/fanfare',
    z.string().default('./data'),
  ),
  DATABASE_URL: variable(
    'The PostgreSQL database (15 or newer) with the state of several machines. Without it, the state is in a SQLite file in `FANFARE_DATA`.',
    'postgres://fanfare:…@db.example/fanfare',
    databaseAddress.optional(),
  ),
  FANFARE_RULES: variable(
    'The folder with the rules. `fanfare.yaml` and the folder `lists` are in the same folder as this one.',
    '/etc/fanfare/rules',
    z.string().default('./rules'),
  ),
  FANFARE_RULES_WATCH: variable(
    'With `DATABASE_URL`: whether Fanfare publishes the rules folder of this machine when a file in it changes.',
    'off',
    z.enum(['on', 'off'], { error: 'use on or off' }).default('on'),
  ),
  FANFARE_KEY: variable(
    'The key that encrypts the stored tokens of accounts, at least 24 characters, as `openssl rand -base64 32` prints. Without it, Fanfare creates the file `key` in `FANFARE_DATA`, readable only by its owner.',
    'H8f0…',
    z.string().optional(),
  ),
  FANFARE_WORKER: variable(
    'The id of this process in metrics, traces and, with PostgreSQL, in log lines. Each process needs another one. Without it, the name of the machine and a random part.',
    'worker-1',
    z
      .string()
      .regex(/^[\w.-]{1,64}$/u, { error: 'write at most 64 letters, digits, dots, hyphens and underscores' })
      .optional()
      .meta({ format: 'id' }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlVariable(
    'A receiver of OpenTelemetry traces over OTLP/HTTP with JSON. Fanfare appends `/v1/traces`. Without it, Fanfare writes no traces.',
    'http://127.0.0.1:4318',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: urlVariable('The same with the whole address. It has precedence.', 'http://127.0.0.1:4318/v1/traces'),
  OTEL_EXPORTER_OTLP_HEADERS: variable(
    'The headers of requests to this receiver: pairs `name=value`, separated by commas. Values are percent-encoded.',
    'authorization=Basic%20dXNlcg',
    otlpHeaders.optional(),
  ),
  OTEL_SERVICE_NAME: variable('The name of the service in traces.', 'fanfare-eu', z.string().default('fanfare')),
  LOG_LEVEL: variable(
    'The least severe log lines that Fanfare writes.',
    'debug',
    z.enum(LOG_LEVELS, { error: `use one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  ),
  DISCORD_CLIENT_SECRET: textVariable('The client secret of the application for the sign-in with Discord.', 'nM4k…'),
  GIPHY_API_KEY: textVariable('The search for GIFs at GIPHY.', 'dc6z…'),
  GIPHY_API_URL: urlVariableOr('https://api.giphy.com/v1', 'The address of the GIPHY API, for a proxy.', 'http://127.0.0.1:9000/v1'),
};

const Environment = z.object({ ...general, ...Object.assign({}, ...DEFINITIONS.map(({ variables }) => variables)) });

/** The values of all environment variables. The definition of a platform knows those of its accounts. */
export type Environment = z.output<z.ZodObject<typeof general>> & Readonly<Record<string, unknown>>;

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

/** Validates the environment variables. Empty ones count as absent. The error contains all mistakes, with their locations. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  return readVariables(variables, () => parseEnvironment(variables));
}

function parseEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Environment.safeParse(set);
  if (parsed.success) return parsed.data as Environment; // zod forgets the types of known keys beside unknown ones
  // The value could be a secret in the wrong variable, so it is never shown.
  const [first, ...rest] = parsed.error.issues.map(({ path: [name], message }) => [String(name), `${String(name)}: ${message}`] as const);
  if (!first) throw new Error('the environment was rejected without a mistake');
  const others = rest.map(([variable, message]) => new VariableError(message, { variable }));
  throw new VariableError(first[1], { variable: first[0], others });
}
