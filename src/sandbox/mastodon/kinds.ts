export const serverKinds = ['4.6', '4.2', 'bare'] as const;

/** Which server is played: the present one, an older one, or one by others that speaks the client API and nothing beside it. */
export type ServerKind = (typeof serverKinds)[number];

/** What a kind of server has. */
export interface Features {
  readonly version: string;
  /** What `api_versions.mastodon` says; absent: the server does not say. */
  readonly apiVersion: number | undefined;
  readonly idsAre: 'snowflakes' | 'ulids';
  /** `GET /api/v2/instance`. */
  readonly hasInstanceV2: boolean;
  /** `POST /api/v2/media`. */
  readonly hasMediaV2: boolean;
  readonly hasTrends: boolean;
  /** `GET /api/v2/notifications`. */
  readonly hasGroupedNotifications: boolean;
  /** `GET /api/v1/statuses?id[]` and `GET /api/v1/accounts?id[]`. */
  readonly hasBatches: boolean;
  readonly hasQuotes: boolean;
  readonly hasTranslation: boolean;
  /** PKCE, and a document that says so. */
  readonly hasOauthMetadata: boolean;
  readonly heedsIdempotencyKeys: boolean;
  readonly tellsLimits: boolean;
  readonly refusesUnnamedClients: boolean;
}

const current: Features = {
  version: '4.6.0',
  apiVersion: 10,
  idsAre: 'snowflakes',
  hasInstanceV2: true,
  hasMediaV2: true,
  hasTrends: true,
  hasGroupedNotifications: true,
  hasBatches: true,
  hasQuotes: true,
  hasTranslation: true,
  hasOauthMetadata: true,
  heedsIdempotencyKeys: true,
  tellsLimits: true,
  refusesUnnamedClients: false,
};

export const features: Readonly<Record<ServerKind, Features>> = {
  '4.6': current,
  '4.2': {
    ...current,
    version: '4.2.10',
    apiVersion: undefined,
    hasGroupedNotifications: false,
    hasBatches: false,
    hasQuotes: false,
    hasOauthMetadata: false,
  },
  bare: {
    ...current,
    apiVersion: undefined,
    version: '0.17.3+sandbox',
    idsAre: 'ulids',
    hasInstanceV2: false,
    hasMediaV2: false,
    hasTrends: false,
    hasGroupedNotifications: false,
    hasBatches: false,
    hasQuotes: false,
    hasTranslation: false,
    hasOauthMetadata: false,
    heedsIdempotencyKeys: false,
    tellsLimits: false,
    refusesUnnamedClients: true,
  },
};
