import { z } from 'zod';
import { address, defineAccount, secret, textVariable, together, urlVariable, variable } from '#adapters/account.ts';
import { capabilities } from './capabilities.ts';
import { TEXT_LIMIT } from './text/limit.ts';

const url = address('The server URL, for example https://mastodon.social.', 'https://mastodon.social');

/** What all accounts share. */
interface Settings {
  /** Whether servers notify over their streaming API. */
  readonly streaming?: boolean | undefined;
}

/** An account on a server with the API of Mastodon. */
export const account = defineAccount({
  platform: 'mastodon',
  title: 'Mastodon',
  capabilities,
  postDefaults: ['language', 'visibility'],
  textLimit: TEXT_LIMIT,
  // 300 requests in five minutes, which posts use too.
  requestsPerMinute: 60,
  requestBurst: 60,
  variables: {
    MASTODON_URL: urlVariable('Account `mastodon`: the server.', 'https://mastodon.social'),
    MASTODON_TOKEN: textVariable('Account `mastodon`: an access token. Without it, sign in with `fanfare auth mastodon`.', 'ZA-Yj3…'),
    MASTODON_STREAMING: variable(
      'Whether servers notify Fanfare about what rules watch, so that rules poll at once.',
      'off',
      z.enum(['on', 'off'], { error: 'use on or off' }).default('on'),
    ),
  },
  form: z.strictObject({
    platform: z.literal('mastodon'),
    url,
    token: secret('An access token; absent: sign in with `fanfare auth`.', 'MASTODON_DE_TOKEN').optional(),
  }),
  setup: {
    steps: () => ['Any server with the API of Mastodon works.'],
    fields: [{ variable: 'MASTODON_URL', question: 'Address of your server, for example https://mastodon.social', schema: url }],
  },
  settings: ({ MASTODON_STREAMING }): Settings => ({ streaming: MASTODON_STREAMING === 'on' }),
  fromEnvironment({ MASTODON_URL, MASTODON_TOKEN }) {
    if (MASTODON_TOKEN !== undefined) together({ MASTODON_URL, MASTODON_TOKEN });
    return MASTODON_URL === undefined ? undefined : { url: MASTODON_URL, token: MASTODON_TOKEN };
  },
  open: async (one, parts) => (await import('./index.ts')).mastodon({ ...one, ...parts }),
  signIn({ token, url: server }) {
    if (token !== undefined) return undefined;
    return { kind: 'browser', open: async () => (await import('./auth/sign-in.ts')).signInToMastodon({ url: server }) };
  },
});
