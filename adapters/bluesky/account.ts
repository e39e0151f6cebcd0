import { z } from 'zod';
import { address, defineAccount, plain, secret, textVariable, together, urlVariable, urlVariableOr, variable } from '#adapters/account.ts';
import { capabilities } from './capabilities.ts';
import { TEXT_LIMIT } from './text/limit.ts';

const handle = plain()
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/iu, { error: 'write a handle without @, for example name.bsky.social' })
  .meta({ description: 'The handle, for example name.bsky.social.', examples: ['club.bsky.social'] });

const JETSTREAM_URL = 'wss://jetstream.us-east.bsky.network/subscribe';

/** What all accounts share. */
interface Settings {
  readonly url: string;
  readonly plcUrl?: string | undefined;
  readonly videoUrl?: string | undefined;
  /** Whether Jetstream notifies about posts. */
  readonly hasJetstream?: boolean | undefined;
  readonly jetstreamUrl?: string | undefined;
}

/** An account of Bluesky on any server of the AT Protocol. */
export const account = defineAccount({
  platform: 'bluesky',
  title: 'Bluesky',
  capabilities,
  budget: 'requests',
  postDefaults: ['language'],
  textLimit: TEXT_LIMIT,
  // 3,000 requests in five minutes.
  requestsPerMinute: 600,
  requestBurst: 600,
  variables: {
    BLUESKY_HANDLE: textVariable('Account `bluesky`: the handle, without @.', 'club.bsky.social'),
    BLUESKY_APP_PASSWORD: textVariable(
      'Account `bluesky`: an app password. Without it, sign in with `fanfare auth bluesky`.',
      'abcd-efgh-ijkl-mnop',
    ),
    BLUESKY_URL: urlVariableOr('https://bsky.social', 'The server of the Bluesky account.', 'https://pds.example'),
    BLUESKY_PLC_URL: urlVariable(
      'The directory of Bluesky identities. Without it, `https://plc.directory`.',
      'http://127.0.0.1:8081/bluesky',
    ),
    BLUESKY_VIDEO_URL: urlVariable('The video service of Bluesky. Without it, the service of Bluesky.', 'http://127.0.0.1:8081/bluesky'),
    BLUESKY_JETSTREAM: variable(
      'Whether Jetstream notifies Fanfare about posts of the accounts that rules watch, so that rules poll at once. Jetstream learns which accounts these are.',
      'off',
      z.enum(['on', 'off'], { error: 'use on or off' }).default('on'),
    ),
    BLUESKY_JETSTREAM_URL: variable(
      `The address of Jetstream. Without it, \`${JETSTREAM_URL}\` for accounts whose server is one of Bluesky, and no notifications for others.`,
      'wss://jetstream.example/subscribe',
      z.url({ protocol: /^wss?$/u, error: 'write an address that begins with wss:// or ws://' }).optional(),
    ),
  },
  form: z.strictObject({
    platform: z.literal('bluesky'),
    handle,
    appPassword: secret('An app password; absent: sign in with `fanfare auth`.', 'SKY_APP_PASSWORD').optional(),
    url: address('The server of the account; absent: BLUESKY_URL.', 'https://bsky.social').optional(),
  }),
  setup: {
    steps: () => ['Enter your handle, then an app password. Fanfare does not store the app password.'],
    fields: [{ variable: 'BLUESKY_HANDLE', question: 'Handle, for example name.bsky.social', schema: handle }],
    passwordHint: 'to create one: Settings > Privacy and security > App passwords; for direct messages, allow access to them',
  },
  settings({ BLUESKY_URL: url, BLUESKY_PLC_URL: plcUrl, BLUESKY_VIDEO_URL: videoUrl, BLUESKY_JETSTREAM, BLUESKY_JETSTREAM_URL }): Settings {
    return { url, plcUrl, videoUrl, hasJetstream: BLUESKY_JETSTREAM === 'on', jetstreamUrl: BLUESKY_JETSTREAM_URL };
  },
  fromEnvironment({ BLUESKY_HANDLE, BLUESKY_APP_PASSWORD }) {
    if (BLUESKY_APP_PASSWORD !== undefined) together({ BLUESKY_HANDLE, BLUESKY_APP_PASSWORD });
    return BLUESKY_HANDLE === undefined ? undefined : { handle: BLUESKY_HANDLE, appPassword: BLUESKY_APP_PASSWORD };
  },
  open: async (one, parts) => (await import('./index.ts')).bluesky({ ...one, ...parts, jetstreamUrl: jetstreamUrlOf(one) }),
  signIn: ({ appPassword }) => (appPassword === undefined ? { kind: 'password', keysFor: (typed) => ({ appPassword: typed }) } : undefined),
});

/** The address of Jetstream for an account. An account on a private server must not cause connections to others. */
export function jetstreamUrlOf({ url, hasJetstream, jetstreamUrl }: Settings): string | undefined {
  if (!hasJetstream) return undefined;
  return jetstreamUrl ?? (isOfBluesky(url) ? JETSTREAM_URL : undefined);
}

/** Whether Bluesky operates a server: its entrance, or one of its servers of accounts. */
function isOfBluesky(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && (hostname === 'bsky.social' || hostname.endsWith('.host.bsky.network'));
}
