import { accountsOf } from '#src/app/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';

/** The variables of an account on Twitch and on each social platform. Tests send them no requests. */
export const NETWORK_VARIABLES = {
  TWITCH_CLIENT_ID: 'i',
  TWITCH_CLIENT_SECRET: 'j',
  X_API_KEY: 'k',
  X_API_SECRET: 's',
  X_ACCESS_TOKEN: 't',
  X_ACCESS_SECRET: 'u',
  BLUESKY_HANDLE: 'ada.example.org',
  BLUESKY_APP_PASSWORD: 'p',
  MASTODON_URL: 'https://example.social',
  MASTODON_TOKEN: 'm',
};

/** These accounts. */
export const everyNetwork = accountsOf(configOfEnvironment(NETWORK_VARIABLES));
