import type { JsonObject } from '#src/operation/json.ts';
import { SELF } from '../../social/people.ts';
import { ownDomain } from '../directory.ts';
import { DESCRIPTION_LIMIT, IMAGE_LIMIT, IMAGE_MATRIX_LIMIT, MOST_FILES, POLL, SUPPORTED_TYPES, VIDEO_LIMIT } from '../posts/bounds.ts';
import { CHARACTERS_A_URL } from '../text/length.ts';
import type { Visit } from '../visit.ts';
import { toAccount } from './account.ts';

const TITLE = 'Fanfare Sandbox';
const DESCRIPTION = 'A social platform that nobody else sees.';
const RULES = [{ id: '1', text: 'Be kind.', hint: '', translations: {} }];

/** `GET /api/v2/instance`. */
export function toInstance(found: Visit): JsonObject {
  const { ground } = found;
  const { apiVersion, version } = ground.settings.features;
  return {
    domain: ownDomain(ground.home),
    title: TITLE,
    version,
    source_url: 'https://github.com/mastodon/mastodon',
    description: DESCRIPTION,
    usage: { users: { active_month: ground.stage.people.all.length } },
    thumbnail: { url: ground.pictures.offline(SELF.id), blurhash: null, versions: {} },
    icon: [],
    languages: ['en'],
    configuration: {
      urls: { streaming: ground.home.replace(/^http/, 'ws'), status: null, about: `${ground.home}/about`, privacy_policy: null },
      vapid: { public_key: '' },
      accounts: { max_featured_tags: 10, max_pinned_statuses: 5, max_profile_fields: 4 },
      ...configurationOf(found),
      translation: { enabled: ground.settings.features.hasTranslation && ground.settings.current.translation !== 'off' },
      limited_federation: false,
    },
    registrations: { enabled: false, approval_required: false, reason_required: false, message: null, min_age: null, url: null },
    ...(apiVersion !== undefined && { api_versions: { mastodon: apiVersion } }),
    contact: { email: 'sandbox@example.org', account: toAccount(SELF, found) },
    rules: RULES,
    wrapstodon: null,
  };
}

/** `GET /api/v1/instance`. */
export function toInstanceV1(found: Visit): JsonObject {
  const { ground } = found;
  return {
    uri: ownDomain(ground.home),
    title: TITLE,
    short_description: DESCRIPTION,
    description: DESCRIPTION,
    email: 'sandbox@example.org',
    version: ground.settings.features.version,
    urls: { streaming_api: ground.home.replace(/^http/, 'ws') },
    stats: { user_count: ground.stage.people.all.length, status_count: found.moment.feed.all().length, domain_count: 3 },
    thumbnail: ground.pictures.offline(SELF.id),
    languages: ['en'],
    registrations: false,
    approval_required: false,
    invites_enabled: false,
    configuration: { accounts: { max_featured_tags: 10 }, ...configurationOf(found) },
    contact_account: toAccount(SELF, found),
    rules: RULES,
  };
}

function configurationOf({ ground }: Visit): JsonObject {
  return {
    statuses: {
      max_characters: ground.settings.current.maxCharacters,
      max_media_attachments: MOST_FILES,
      characters_reserved_per_url: CHARACTERS_A_URL,
    },
    media_attachments: {
      supported_mime_types: [...SUPPORTED_TYPES],
      description_limit: DESCRIPTION_LIMIT,
      image_size_limit: IMAGE_LIMIT,
      image_matrix_limit: IMAGE_MATRIX_LIMIT,
      video_size_limit: VIDEO_LIMIT,
      video_frame_rate_limit: 120,
      video_matrix_limit: 8_294_400,
    },
    polls: {
      max_options: POLL.mostOptions,
      max_characters_per_option: POLL.longestOption,
      min_expiration: POLL.shortestSeconds,
      max_expiration: POLL.longestSeconds,
    },
  };
}
