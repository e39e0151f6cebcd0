import { z } from 'zod';
import { idFormats, type IdFormat } from './ids.ts';

const serverKinds = ['4.6', '4.2', 'bare'] as const;
/** The simulated server: Mastodon 4.6, Mastodon 4.2, or `bare`, another program with the client API alone. */
export type ServerKind = (typeof serverKinds)[number];

/** What a kind of server supports. */
export interface Features {
  readonly version: string;
  /** `api_versions.mastodon`; absent if the server does not publish it. */
  readonly apiVersion: number | undefined;
  readonly idFormat: IdFormat;
  /** `GET /api/v2/instance`, `POST /api/v2/media`, trends, translation, idempotency keys and rate limit headers. */
  readonly isMastodon: boolean;
  /** `GET /api/v1/statuses?id[]` and `GET /api/v1/accounts?id[]`, quotes and OAuth metadata. */
  readonly isRecent: boolean;
}

const features: Readonly<Record<ServerKind, Features>> = {
  '4.6': { version: '4.6.0', apiVersion: 10, idFormat: idFormats.snowflakes, isMastodon: true, isRecent: true },
  '4.2': { version: '4.2.10', apiVersion: undefined, idFormat: idFormats.snowflakes, isMastodon: true, isRecent: false },
  bare: { version: '0.17.3+sandbox', apiVersion: undefined, idFormat: idFormats.ulids, isMastodon: false, isRecent: false },
};

const ServerSettings = z.strictObject({
  kind: z
    .enum(serverKinds)
    .describe('The program: Mastodon 4.6 (default), Mastodon 4.2, or `bare`, another program with the client API alone.'),
  translation: z
    .enum(['on', 'off', 'down'])
    .describe('Whether the server translates posts. `on` at first. `down`: the server offers translation, but its provider fails.'),
  fullText: z.boolean().describe('Whether a search finds the text of posts. `true` at first.'),
  maxCharacters: z.int().min(1).describe('The length of a post. 500 at first.'),
  maxFiles: z.int().min(1).describe('The number of files in a post. 4 at first.'),
  descriptionLimit: z.int().min(1).describe('The length of the alternative text of a file. 1500 at first.'),
  requestLimit: z.int().min(0).describe('How many requests a token may make in five minutes. 300 at first.'),
  streaming: z.enum(['on', 'off']).describe('Whether the server has the streaming API. `on` at first.'),
  suspended: z.boolean().describe('Whether the account of `MASTODON_TOKEN` is suspended. `false` at first.'),
});
type ServerSettings = Readonly<z.output<typeof ServerSettings>>;

/** What an order of the control API can change. */
export const SettingsOrder = ServerSettings.partial();

/** The setup of the server. It lasts as long as the sandbox. */
export class Settings {
  #current: ServerSettings = {
    kind: '4.6',
    translation: 'on',
    fullText: true,
    maxCharacters: 500,
    maxFiles: 4,
    descriptionLimit: 1500,
    requestLimit: 300,
    streaming: 'on',
    suspended: false,
  };

  get current(): ServerSettings {
    return this.#current;
  }

  get features(): Features {
    return features[this.#current.kind];
  }

  change(order: z.output<typeof SettingsOrder>): ServerSettings {
    this.#current = ServerSettings.parse({ ...this.#current, ...order });
    return this.#current;
  }
}
