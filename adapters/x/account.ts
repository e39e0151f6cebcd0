import { z } from 'zod';
import { defineAccount, plain, secret, textVariable, together, urlVariableOr, variable } from '#adapters/account.ts';
import { capabilities } from './capabilities.ts';
import { TEXT_LIMIT } from './text/limit.ts';

const KEYS = 'apiKey, apiSecret, accessToken and accessSecret';

/** What all accounts share. */
interface Settings {
  readonly apiUrl: string;
  /** Whether the filtered stream notifies about posts. */
  readonly stream?: boolean | undefined;
}

/** An account of X with at least one kind of credentials: a client to sign in with, keys of OAuth 1.0a, or a bearer token for reading. */
export const account = defineAccount({
  platform: 'x',
  title: 'X',
  capabilities,
  budget: 'money',
  textLimit: TEXT_LIMIT,
  variables: {
    X_CLIENT_ID: textVariable('Account `x`: the OAuth 2.0 client id, for the sign-in with `fanfare auth x`.', 'VGhpc0lzTm90'),
    X_CLIENT_SECRET: textVariable('Account `x`: the OAuth 2.0 client secret, if the application has one.', 'aB3d…'),
    X_BEARER_TOKEN: textVariable('Account `x`: reads without a signed-in account.', 'AAAA…'),
    X_API_KEY: textVariable('Account `x`, OAuth 1.0a: the API key. The four keys of OAuth 1.0a only work together.', 'xvz1…'),
    X_API_SECRET: textVariable('Account `x`, OAuth 1.0a: the API secret.', 'kAcS…'),
    X_ACCESS_TOKEN: textVariable('Account `x`, OAuth 1.0a: the access token.', '3707…'),
    X_ACCESS_SECRET: textVariable('Account `x`, OAuth 1.0a: the access token secret.', 'LswM…'),
    X_API_URL: urlVariableOr('https://api.x.com', 'The address of the X API, for a proxy or a sandbox.', 'http://127.0.0.1:8081/x'),
    X_STREAM: variable(
      'Whether the filtered stream notifies Fanfare about posts of the accounts that rules watch, so that rules poll at once. It needs `X_BEARER_TOKEN` or `X_API_KEY`. X bills each post.',
      'on',
      z.enum(['on', 'off'], { error: 'use on or off' }).default('off'),
    ),
  },
  form: z
    .strictObject({
      platform: z.literal('x'),
      clientId: plain()
        .meta({
          description: 'The OAuth 2.0 client id of the application, for the sign-in with `fanfare auth`.',
          examples: ['VGhpc0lzTm90'],
        })
        .optional(),
      clientSecret: secret('The OAuth 2.0 client secret, if the application has one.', 'X_CLUB_SECRET').optional(),
      bearerToken: secret('The bearer token of the application. It can only read.', 'X_CLUB_BEARER').optional(),
      apiKey: secret('OAuth 1.0a: the API key of the application.', 'X_TEAM_KEY').optional(),
      apiSecret: secret('OAuth 1.0a: the API secret of the application.', 'X_TEAM_KEY_SECRET').optional(),
      accessToken: secret('OAuth 1.0a: the access token of the account.', 'X_TEAM_TOKEN').optional(),
      accessSecret: secret('OAuth 1.0a: the access token secret of the account.', 'X_TEAM_TOKEN_SECRET').optional(),
    })
    .refine(
      ({ apiKey: a, apiSecret: b, accessToken: c, accessSecret: d }) => new Set([a, b, c, d].map((key) => key === undefined)).size === 1,
      {
        error: `${KEYS} only work together`,
      },
    )
    .refine(({ clientId, bearerToken, apiKey }) => [clientId, bearerToken, apiKey].some((key) => key !== undefined), {
      error: `one of these is required: clientId; ${KEYS}; or bearerToken`,
    }),
  setup: {
    steps: (redirectUri) => [
      'Open your app at https://console.x.com, or create one.',
      'Under User authentication settings, choose Set up. App permissions: Read and write and Direct message.',
      'Type of App: Web App, Automated App or Bot.',
      `Callback URI: ${redirectUri}; Website URL: your choice.`,
      'Copy the OAuth 2.0 Client ID and Client Secret from Keys and tokens.',
    ],
    fields: [
      { variable: 'X_CLIENT_ID', question: 'OAuth 2.0 Client ID' },
      { variable: 'X_CLIENT_SECRET', question: 'OAuth 2.0 Client Secret (none for a Native App)', isSecret: true, isOptional: true },
    ],
    errorHint: (redirectUri) =>
      `If X shows an error: check that the client id is right and that ${redirectUri} is a callback URI of the app.`,
  },
  settings: ({ X_API_URL: apiUrl, X_STREAM }): Settings => ({ apiUrl, stream: X_STREAM === 'on' }),
  fromEnvironment({ X_CLIENT_ID, X_CLIENT_SECRET, X_BEARER_TOKEN, X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN, X_ACCESS_SECRET }) {
    const signing = together({ X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN, X_ACCESS_SECRET });
    if (X_CLIENT_SECRET !== undefined) together({ X_CLIENT_ID, X_CLIENT_SECRET });
    if (X_CLIENT_ID === undefined && X_BEARER_TOKEN === undefined && !signing) return undefined;
    return {
      clientId: X_CLIENT_ID,
      clientSecret: X_CLIENT_SECRET,
      bearerToken: X_BEARER_TOKEN,
      apiKey: signing?.X_API_KEY,
      apiSecret: signing?.X_API_SECRET,
      accessToken: signing?.X_ACCESS_TOKEN,
      accessSecret: signing?.X_ACCESS_SECRET,
    };
  },
  async open(one, { pageUsd, pageRequests, ...parts }) {
    const { x } = await import('./index.ts');
    return x({ ...one, url: one.apiUrl, ...parts, budgets: pageUsd === undefined ? undefined : { usd: pageUsd, requests: pageRequests } });
  },
  signIn({ clientId, clientSecret, apiUrl: url }) {
    if (clientId === undefined) return undefined;
    return { kind: 'browser', open: async () => (await import('./auth/sign-in.ts')).signInToX({ clientId, clientSecret, url }) };
  },
  knownUser: ({ clientId, apiKey }) => (clientId === undefined && apiKey === undefined ? 'X' : undefined),
});
