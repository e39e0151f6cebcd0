import type { JsonObject } from '#src/clients/operation/json.ts';
import { SELF } from '../social/people.ts';
import { toAccount } from './account-json.ts';
import { POLL } from './drafts.ts';
import { MEDIA } from './media-routes.ts';
import { scopesIn } from './oauth.ts';
import { invalid, routeNotFound } from './refusal.ts';
import type { MastodonRequest, Routes } from './request.ts';
import { CHARACTERS_PER_URL } from './text.ts';

const MIME_TYPES = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'video/webm',
  'video/mp4',
  'video/quicktime',
  'audio/wav',
  'audio/ogg',
  'audio/mpeg',
  'audio/flac',
  'audio/mp4',
];

/** The description of the server, and the registration of applications. */
export function instanceRoutes(routes: Routes): void {
  routes.open('GET /v1/instance', (request) => {
    const { uri: _, ...shared } = instance(request);
    const urls = { streaming_api: streamingUrl(request) };
    return { ...shared, uri: new URL(request.state.home).host, urls, configuration: configuration(request) };
  });

  routes.open('GET /v2/instance', (request) => {
    const { features, current } = request.state.settings;
    if (!features.isMastodon) throw routeNotFound();
    return {
      ...instance(request),
      domain: new URL(request.state.home).host,
      configuration: {
        ...configuration(request),
        translation: { enabled: current.translation !== 'off' },
        urls: { streaming: streamingUrl(request) },
      },
      ...(features.apiVersion !== undefined && { api_versions: { mastodon: features.apiVersion } }),
    };
  });

  routes.open('POST /v1/apps', ({ fields, state }) => {
    const name = fields.text('client_name')?.trim() ?? '';
    const redirectUris = fields.texts('redirect_uris').flatMap((text) => text.split(/\s+/).filter((uri) => uri !== ''));
    if (name === '') throw invalid("Application name can't be blank");
    if (redirectUris.length === 0 || !redirectUris.every((uri) => URL.canParse(uri)))
      throw invalid('Redirect URI must be an absolute URI.');
    const scopes = scopesIn(fields.text('scopes') ?? 'read');
    const app = state.oauth.register({ name, website: fields.text('website'), redirectUris, scopes });
    return { id: app.id, name, scopes, redirect_uris: redirectUris, client_id: app.clientId, client_secret: app.clientSecret };
  });
}

const streamingUrl = ({ state }: MastodonRequest): string => state.home.replace(/^http/u, 'ws');

function instance(request: MastodonRequest): JsonObject {
  return {
    title: 'Fanfare Sandbox',
    description: 'A social platform for tests.',
    version: request.state.settings.features.version,
    languages: ['en'],
    contact: { email: 'sandbox@example.org', account: toAccount(SELF, request) },
    rules: [],
  };
}

function configuration({ state }: MastodonRequest): JsonObject {
  const { maxCharacters, maxFiles, descriptionLimit } = state.settings.current;
  return {
    statuses: {
      max_characters: maxCharacters,
      max_media_attachments: maxFiles,
      characters_reserved_per_url: CHARACTERS_PER_URL,
    },
    media_attachments: {
      supported_mime_types: MIME_TYPES,
      description_limit: descriptionLimit,
      image_size_limit: MEDIA.imageLimit,
      image_matrix_limit: MEDIA.imageMatrixLimit,
      video_size_limit: MEDIA.videoLimit,
    },
    polls: {
      max_options: POLL.mostOptions,
      max_characters_per_option: POLL.longestOption,
      min_expiration: POLL.shortestSeconds,
      max_expiration: POLL.longestSeconds,
    },
  };
}
