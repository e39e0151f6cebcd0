import { z } from 'zod';
import { ZONE_ERROR, zoneNamed } from '#src/clients/operation/zone-named.ts';
import type { StandingMessages, CommandUses, MemberStates } from '#src/clients/chat/chat.ts';
import type { StatusStore } from '#src/clients/chat/wanted-status.ts';
import type { Clock } from '#src/clock.ts';
import { ConfigError, type ConfigErrorOptions } from '#src/errors.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import type { Log } from '#src/log.ts';
import type { Capability } from '#src/clients/operation/capability.ts';
import { serverAddressRemedy } from '#src/clients/operation/server-address.ts';
import type { MonthlySpending } from '#src/clients/operation/spending.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import type { BrowserSignIn, DeviceSignIn } from '#src/http/secrets/sign-in.ts';
import type { PostDefaults as RenderedDefaults } from '#src/clients/operation/post-defaults.ts';
import type { WatchList } from '#src/clients/social/providers.ts';

/** The defaults of posts in the section `posts`. */
interface PostDefaults extends RenderedDefaults {
  readonly language?: string | undefined;
  readonly visibility?: 'public' | 'unlisted' | 'followers' | 'direct' | undefined;
}

/** An account of any platform. */
export interface AnyAccount extends PostDefaults {
  readonly platform: string;
  /** The name of the account in rules. */
  readonly account: string;
}

/** What Fanfare passes to the adapter of an account, beside the account. */
export interface AccountParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly tokens: AccountTokens;
  /** The rate limits that all processes share; undefined: the adapter counts its requests. */
  readonly rateBudgets: RateBudgets | undefined;
  /** The largest number of requests for a composed page; undefined: the default. */
  readonly pageRequests: number | undefined;
  /** The highest cost of a composed page in USD; undefined: no composed pages. */
  readonly pageUsd: number | undefined;
  /** The monthly budget; undefined: the platform bills nothing. */
  readonly spending: MonthlySpending | undefined;
  readonly watchList: WatchList;
  readonly standingMessages: StandingMessages;
  /** The uses of slash commands that can be answered. */
  readonly commandUses: Pick<CommandUses, 'find'>;
  readonly botStatus: StatusStore;
  /** The states of members that come over the gateway. */
  readonly memberStates: Pick<MemberStates, 'find'>;
  /** A value that all accounts of the platform share. The first account creates it, with the rate limits of the platform. */
  shared<T>(create: (rateBudgets: RateBudgets | undefined) => T): T;
}

/** A value that a person enters in `fanfare auth`. */
interface SetupField {
  /** The environment variable of the value. */
  readonly variable: string;
  readonly question: string;
  readonly isSecret?: boolean;
  /** Whether an empty answer is valid. */
  readonly isOptional?: boolean;
  /** The schema of a valid answer; without it, all texts are valid. */
  readonly schema?: z.ZodType;
}

/** How a person gets the credentials of a platform, and the values that Fanfare asks for. */
export interface AccountSetup {
  readonly steps: (redirectUri: string) => readonly string[];
  readonly fields: readonly SetupField[];
  /** What to check if the platform shows an error page, which Fanfare does not see. */
  readonly errorHint?: (redirectUri: string) => string;
  /** Where a person creates the password. */
  readonly passwordHint?: string;
}

/** How an account signs in beyond its credentials: with a typed password, or in a browser. */
type SignInMethod =
  | { readonly kind: 'password'; keysFor(password: string): Readonly<Record<string, string>> }
  | { readonly kind: 'browser'; open(): Promise<BrowserSignIn> };

type Values = Readonly<Record<string, unknown>>;

/** The description of the accounts of one platform. It loads nothing of the adapter but the capabilities. */
export interface AccountDefinition<
  A extends AnyAccount = AnyAccount,
  Opened = unknown,
  Environment = Values,
  Written = Values,
  Settings = object,
> {
  readonly platform: A['platform'];
  /** The name of the platform in texts. */
  readonly title: string;
  /** The name of the adapter, if it is not the one of the platform. */
  readonly adapter?: string | undefined;
  readonly capabilities: Readonly<Record<string, Capability>>;
  /** The environment variables. `npm run docs` writes docs/reference/environment.md from them. */
  readonly variables: Readonly<Record<string, z.ZodType>>;
  /** Whether the sandbox has the platform only on request, and not in the demo. */
  readonly isOnRequest?: boolean | undefined;
  /** The keys of an account in `fanfare.yaml`. */
  readonly form: z.ZodObject;
  /** A secret of the environment that all accounts share: its key in accounts, its variable, and why there is one. */
  readonly sharedSecret?: { readonly key: string; readonly variable: string; readonly hint: string } | undefined;
  /** The key whose value only one account can have. */
  readonly uniqueKey?: string | undefined;
  /** The dialogue of `fanfare auth`; absent: none. */
  readonly setup?: AccountSetup | undefined;
  /** What the section `budgets` can limit: `money`, for a platform that bills requests, or only the `requests` of a composed page. */
  readonly budget?: 'money' | 'requests' | undefined;
  /** The defaults of posts that the section `posts` can set. */
  readonly postDefaults?: readonly Exclude<keyof PostDefaults, keyof RenderedDefaults>[] | undefined;
  /** The usual length limit of a post. */
  readonly textLimit?: TextLimit | undefined;
  /** The rate limit of the platform, if rules can exceed it. */
  readonly requestsPerMinute?: number | undefined;
  /** The share of the limit that polls may take at once, if it is not a fifth of the limit of a minute. */
  readonly requestBurst?: number | undefined;
  /** The share of the limit that a request takes, by operation, if it is not 1. */
  readonly unitsPerRequest?: Readonly<Record<string, number>> | undefined;
  /** The number of users in one request, if it is not 100. */
  readonly namesPerRequest?: number | undefined;
  /** The values of the environment that all accounts of the platform use, unless `fanfare.yaml` has others. */
  settings(environment: Environment, defaults: { readonly zone: string }): Settings;
  /**
   * The keys of the account of the environment; undefined if there is none. Throws a `ConfigError` for incomplete credentials.
   * `isInFile`: `fanfare.yaml` also has accounts of the platform.
   */
  fromEnvironment(environment: Environment, options: { readonly isInFile: boolean }): Written | undefined;
  /** Opens the adapter. */
  open(account: A, parts: AccountParts): Promise<Opened>;
  /** The setting at the platform in which a person enters the address of notifications; absent: there is none. */
  readonly webhookSetting?: string | undefined;
  /** The sign-in of an account; undefined if it has all credentials. */
  signIn?(account: A): SignInMethod | undefined;
  /** The sign-in as a channel, beside credentials that read as an app; absent: none. */
  channelSignIn?(account: A, options: ChannelSignInOptions): Promise<DeviceSignIn>;
  /** A user that always exists, if the account has no signed-in user and can only read. */
  knownUser?(account: A): string | undefined;
  /** Describes the account with a cheap request that needs its credentials; absent: the client does. */
  identify?(account: A, options: { readonly clock: Clock; readonly signal?: AbortSignal | undefined }): Promise<string>;
}

interface ChannelSignInOptions {
  readonly clock: Clock;
  /** The operations that rules call through the account, for example `sendChatMessage`. They decide about the permissions. */
  readonly operations: ReadonlySet<string>;
}

/** The account of a definition. */
export type AccountOf<D> = D extends AccountDefinition<infer A> ? A : never;

type Written<Keys extends z.ZodRawShape> = Readonly<Omit<z.output<z.ZodObject<Keys>>, 'platform'>>;

/** Infers the types of a definition: an account has its keys in `fanfare.yaml` and the settings of its platform. */
export function defineAccount<
  P extends string,
  Keys extends z.ZodRawShape,
  Variables extends z.ZodRawShape,
  Settings extends object,
  Opened,
>(
  definition: Omit<
    AccountDefinition<Account<P, Keys, Settings>, Opened, z.output<z.ZodObject<Variables>>, Written<Keys>, Settings>,
    'platform' | 'variables' | 'form'
  > & {
    readonly platform: P;
    readonly variables: Variables;
    readonly form: z.ZodObject<Keys>;
  },
): AccountDefinition<Account<P, Keys, Settings>, Opened, Values, Values, Settings> {
  return definition as never; // settings are a part of the account
}

type Account<P extends string, Keys extends z.ZodRawShape, Settings extends object> = Readonly<
  PostDefaults & { platform: P; account: string } & Omit<z.output<z.ZodObject<Keys>>, keyof Settings | 'platform'> & Settings
>;
const url = z
  .url({ protocol: /^https?$/, error: ({ input }) => serverAddressRemedy(String(input)), abort: true })
  .refine((address) => serverAddressRemedy(address) === undefined, { error: ({ input }) => serverAddressRemedy(String(input)) })
  .transform((address) => address.replace(/\/+$/, ''));

/** The schema of a variable with its documentation. */
export function variable<T extends z.ZodType>(description: string, example: string, schema: T): T {
  return schema.meta({ description, examples: [example] });
}

/** A variable with any text. */
export const textVariable = (description: string, example: string) => variable(description, example, z.string().optional());

/** A variable with the address of a server. */
export const urlVariable = (description: string, example: string) => variable(description, example, url.optional());

/** A variable with the address of a server, and a default. */
export const urlVariableOr = (usual: string, description: string, example: string) => variable(description, example, url.default(usual));

/** A mistake in the value of a variable. The configuration adds where the value is from. */
export class VariableError extends ConfigError {
  readonly variable: string;

  constructor(message: string, { variable, ...options }: Pick<ConfigErrorOptions, 'hint' | 'others'> & { readonly variable: string }) {
    super(message, { file: 'the environment', ...options });
    this.variable = variable;
  }
}

/** Requires all or none of the variables; undefined if none is set. */
export function together<K extends string>(variables: Readonly<Record<K, string | undefined>>): Readonly<Record<K, string>> | undefined {
  const names = Object.keys(variables) as K[]; // the keys of a literal
  const missing = names.filter((name) => variables[name] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) {
    const set = names.filter((name) => !missing.includes(name));
    throw new VariableError(
      `${missing.join(' and ')} must also be set, because ${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'} set`,
      { variable: set[0] ?? '' },
    );
  }
  return variables as Readonly<Record<K, string>>; // none is missing
}

/** A secret in `fanfare.yaml`: the name of an environment variable. */
export const SECRET = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/u;
const secrets = new WeakSet<object>();

/** A key with a secret. */
export function secret(description: string, example: string): z.ZodString {
  const schema = z
    .string()
    .regex(SECRET, { error: 'secrets are environment variables: write ${NAME} here, and NAME=… in .env' })
    .meta({ description, examples: [`\${${example}}`] });
  secrets.add(schema);
  return schema;
}

/** The keys of a form that have secrets. */
export function secretKeys({ shape }: z.ZodObject): readonly string[] {
  return Object.entries(shape).flatMap(([key, schema]) =>
    secrets.has(schema instanceof z.ZodOptional ? schema.unwrap() : schema) ? [key] : [],
  );
}

/** The keys of an application that reads without a signed-in user. */
export const application = () => ({
  clientId: plain().meta({ description: 'The id of the application.', examples: ['gp762nuuoqcoxypju8c569th9wz7q5'] }),
  clientSecret: secret('The secret of the application.', 'ALT_TWITCH_SECRET'),
});

/** A text without a secret. */
export const plain = () =>
  z
    .string()
    .min(1)
    .refine((text) => !text.includes('${'), { error: 'only secrets can be variables: write the value itself', abort: true });

/** The address of a server. */
export const address = (description: string, example: string) =>
  plain()
    .refine((text) => serverAddressRemedy(text) === undefined, { error: ({ input }) => serverAddressRemedy(String(input)) })
    .meta({ description, examples: [example] });

/** The time zone of people, as in the settings of a server. */
export const zone = (description: string) =>
  plain()
    .overwrite((text) => zoneNamed(text) ?? text)
    .refine((text) => zoneNamed(text) !== undefined, { error: ZONE_ERROR })
    .meta({ description, examples: ['Europe/Berlin'] });
