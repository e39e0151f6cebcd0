import type { Platform } from '#src/config/accounts.ts';

/** The platforms that `fanfare auth` knows. */
export const SIGN_IN_PLATFORMS = ['twitch', 'kick', 'x', 'bluesky', 'mastodon'] as const satisfies readonly Platform[];
export type SignInPlatform = (typeof SIGN_IN_PLATFORMS)[number];

/** One thing that a person has to find out. */
interface Wanted {
  /** The variable of the environment that it becomes. */
  readonly variable: string;
  readonly question: string;
  readonly isSecret?: boolean;
  /** Whether there may be none. */
  readonly isOptional?: boolean;
  /** What is wrong with an answer. */
  readonly wrong?: (answer: string) => string | undefined;
}

/** What an account of a platform is opened with, where the environment has nothing yet, and how a person comes by it. */
export interface Needs {
  readonly steps: (redirectUri: string) => readonly string[];
  readonly wanted: readonly Wanted[];
  /** What to look at where the platform's own page says no, which Fanfare does not hear of. */
  readonly refusedPage?: (redirectUri: string) => string;
}

/** By platform. */
export const NEEDS: Readonly<Record<SignInPlatform, Needs>> = {
  twitch: {
    steps: () => [
      'Open https://dev.twitch.tv/console/apps and choose Register Your Application.',
      'Name: as you like. OAuth Redirect URLs: http://localhost. Category: Application Integration. Client Type: Confidential.',
      'Open it with Manage; New Secret shows the secret, once.',
    ],
    wanted: [
      { variable: 'TWITCH_CLIENT_ID', question: 'Client ID' },
      { variable: 'TWITCH_CLIENT_SECRET', question: 'Client Secret', isSecret: true },
    ],
  },
  kick: {
    steps: () => [
      'Open https://kick.com/settings/developer and choose Create new.',
      'Redirect URL: http://localhost. Scopes: none are needed.',
    ],
    wanted: [
      { variable: 'KICK_CLIENT_ID', question: 'Client ID' },
      { variable: 'KICK_CLIENT_SECRET', question: 'Client Secret', isSecret: true },
    ],
  },
  x: {
    steps: (redirectUri) => [
      'Open https://console.x.com, and there your app; make one where there is none.',
      'User authentication settings, Set up. App permissions: Read and write and Direct message.',
      'Type of App: Web App, Automated App or Bot.',
      `Callback URI: ${redirectUri}; Website URL: as you like.`,
      'Keys and tokens, OAuth 2.0 Client ID and Client Secret.',
    ],
    wanted: [
      { variable: 'X_CLIENT_ID', question: 'OAuth 2.0 Client ID' },
      { variable: 'X_CLIENT_SECRET', question: 'OAuth 2.0 Client Secret (none for a Native App)', isSecret: true, isOptional: true },
    ],
    refusedPage: (redirectUri) =>
      `If X says that something went wrong: its app needs this client id, and ${redirectUri} as a callback URI.`,
  },
  bluesky: {
    steps: () => ['Only the handle is written down; you are asked for an app password after it.'],
    wanted: [
      {
        variable: 'BLUESKY_HANDLE',
        question: 'Handle, as name.bsky.social',
        wrong: (answer) => (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/iu.test(answer) ? undefined : 'a handle has no @, and a dot: name.bsky.social'),
      },
    ],
  },
  mastodon: {
    steps: () => ['Any server that speaks as Mastodon does.'],
    wanted: [
      {
        variable: 'MASTODON_URL',
        question: 'Address of your server, as https://mastodon.social',
        wrong: (answer) => (/^https?:\/\//u.test(answer) && URL.canParse(answer) ? undefined : 'it begins with https://'),
      },
    ],
  },
};
