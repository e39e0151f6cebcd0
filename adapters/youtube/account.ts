import { z } from 'zod';
import { defineAccount, secret, textVariable, urlVariableOr, variable } from '#adapters/account.ts';
import { capabilities, UNITS, UNITS_A_MINUTE } from './capabilities.ts';

/** A key of the YouTube Data API. */
export const account = defineAccount({
  platform: 'youtube',
  title: 'YouTube',
  capabilities,
  namesPerRequest: 15,
  requestsPerMinute: UNITS_A_MINUTE,
  // The quota belongs to a day.
  requestBurst: 1_600,
  unitsPerRequest: UNITS,
  isOnRequest: true,
  variables: {
    YOUTUBE_API_KEY: textVariable('Account `youtube`: the key of a Google Cloud project with the YouTube Data API v3.', 'AIza…'),
    YOUTUBE_API_URL: urlVariableOr(
      'https://www.googleapis.com/youtube/v3',
      'The address of the YouTube Data API, for a proxy or a sandbox.',
      'http://127.0.0.1:8081/youtube/v3',
    ),
    YOUTUBE_URL: urlVariableOr(
      'https://www.youtube.com',
      'The address of YouTube with the feeds of channels, for a proxy or a sandbox.',
      'http://127.0.0.1:8081/youtube',
    ),
    YOUTUBE_WEBSUB: variable(
      'Whether YouTube notifies Fanfare about the channels that rules watch, so that rules poll at once. It needs `FANFARE_PUBLIC_URL`.',
      'off',
      z.enum(['on', 'off'], { error: 'use on or off' }).default('on'),
    ),
    YOUTUBE_HUB_URL: urlVariableOr(
      'https://pubsubhubbub.appspot.com/subscribe',
      'The address of the hub that notifies about channels of YouTube, for a sandbox.',
      'http://127.0.0.1:8081/youtube/hub',
    ),
  },
  form: z.strictObject({ platform: z.literal('youtube'), apiKey: secret('The key of the API.', 'ALT_YOUTUBE_KEY') }),
  setup: {
    steps: () => [
      'Open https://console.cloud.google.com/apis/library/youtube.googleapis.com and choose Enable. Create a project if you have none.',
      'Open https://console.cloud.google.com/apis/credentials, and choose Create credentials, API key.',
      'Restrict the key to the YouTube Data API v3.',
    ],
    fields: [{ variable: 'YOUTUBE_API_KEY', question: 'API key', isSecret: true }],
  },
  settings: ({ YOUTUBE_API_URL: apiUrl, YOUTUBE_URL: siteUrl, YOUTUBE_WEBSUB: webSub, YOUTUBE_HUB_URL: hubUrl }) => ({
    apiUrl,
    siteUrl,
    hubUrl: webSub === 'on' ? hubUrl : undefined,
  }),
  fromEnvironment: ({ YOUTUBE_API_KEY }) => (YOUTUBE_API_KEY === undefined ? undefined : { apiKey: YOUTUBE_API_KEY }),
  identify: async (one, options) => (await import('./identify.ts')).identify(one, options),
  open: async (one, parts) => (await import('./index.ts')).youtube({ ...one, ...parts }),
});
