import type { z } from 'zod';
import type { Platform } from '#src/config/accounts.ts';
import { ACCOUNT_FORMS } from '#src/config/file-form.ts';

/** The platforms that `fanfare auth` knows. */
export const SIGN_IN_PLATFORMS = ['twitch', 'kick', 'x', 'bluesky', 'mastodon'] as const satisfies readonly Platform[];
export type SignInPlatform = (typeof SIGN_IN_PLATFORMS)[number];

/** A value that the person enters. */
interface SetupField {
  /** The environment variable of the value. */
  readonly variable: string;
  readonly question: string;
  readonly isSecret?: boolean;
  /** Whether an empty answer is valid. */
  readonly isOptional?: boolean;
  /** The error of an invalid answer. */
  readonly validate?: (answer: string) => string | undefined;
}

/** How a person gets the credentials of a platform, and the values that Fanfare asks for. */
export interface PlatformSetup {
  readonly steps: (redirectUri: string) => readonly string[];
  readonly fields: readonly SetupField[];
  /** What to check if the platform shows an error page, which Fanfare does not see. */
  readonly errorHint?: (redirectUri: string) => string;
}

export const PLATFORM_SETUPS: Readonly<Record<SignInPlatform, PlatformSetup>> = {
  twitch: {
    steps: () => [
      'Open https://dev.twitch.tv/console/apps and choose Register Your Application.',
      'Name: your choice. OAuth Redirect URLs: http://localhost. Category: Application Integration. Client Type: Confidential.',
      'Choose Manage, then New Secret. Twitch shows the secret once.',
    ],
    fields: [
      { variable: 'TWITCH_CLIENT_ID', question: 'Client ID' },
      { variable: 'TWITCH_CLIENT_SECRET', question: 'Client Secret', isSecret: true },
    ],
  },
  kick: {
    steps: () => [
      'Open https://kick.com/settings/developer and choose Create new.',
      'Redirect URL: http://localhost. Scopes: none are needed.',
    ],
    fields: [
      { variable: 'KICK_CLIENT_ID', question: 'Client ID' },
      { variable: 'KICK_CLIENT_SECRET', question: 'Client Secret', isSecret: true },
    ],
  },
  x: {
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
  bluesky: {
    steps: () => ['Enter your handle, then an app password. Fanfare does not store the app password.'],
    fields: [
      {
        variable: 'BLUESKY_HANDLE',
        question: 'Handle, for example name.bsky.social',
        validate: (answer) => errorOf(ACCOUNT_FORMS.bluesky.shape.handle, answer),
      },
    ],
  },
  mastodon: {
    steps: () => ['Any server with the API of Mastodon works.'],
    fields: [
      {
        variable: 'MASTODON_URL',
        question: 'Address of your server, for example https://mastodon.social',
        validate: (answer) => errorOf(ACCOUNT_FORMS.mastodon.shape.url, answer),
      },
    ],
  },
};

function errorOf(schema: z.ZodType, answer: string): string | undefined {
  return schema.safeParse(answer).error?.issues[0]?.message;
}
