import type { Capability } from '#src/operation/capability.ts';

export const LOOK_UP = [
  'GET /api/v1/accounts/lookup',
  'GET /api/v1/accounts/:id',
  'GET /api/v1/accounts/search',
  'GET /api/v2/search',
] as const;
export const RELATIONS = 'GET /api/v1/accounts/relationships';
export const ME = 'GET /api/v1/accounts/verify_credentials';
export const ADDRESS = ['GET /api/v1/statuses/:id', 'GET /api/v2/search'] as const;
export const SERVER = ['GET /api/v2/instance', 'GET /api/v1/instance'] as const;
export const UPLOAD = ['POST /api/v2/media', 'POST /api/v1/media', 'GET /api/v1/media/:id', 'PUT /api/v1/media/:id'] as const;

/** What one request does, with what is asked before and after. */
export function native(...endpoints: readonly string[]): Capability {
  return { support: 'native', endpoints };
}

/** Why there is nothing of a community. */
export const noCommunities = {
  support: 'unsupported',
  reason: 'NO_FEATURE',
  detail: 'There are no communities.',
  alternatives: ['getTopicPosts', 'getListPosts'],
} as const;
