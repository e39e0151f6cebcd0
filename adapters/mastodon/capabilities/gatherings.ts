import type { SocialPlatform } from '#src/social/social.ts';
import { ADDRESS, LOOK_UP, ME, native, noCommunities, RELATIONS, SERVER, UPLOAD } from './endpoints.ts';

/** Messages, lists and topics. */
export const gatherings = {
  getInbox: native('GET /api/v1/conversations', ...LOOK_UP),
  getConversation: {
    support: 'composed',
    detail: 'Looked for in the latest 400 conversations, and read thread by thread.',
    endpoints: ['GET /api/v1/conversations', 'GET /api/v1/statuses/:id/context', ...LOOK_UP],
  },
  sendMessage: {
    support: 'composed',
    detail: 'A post that only the people see whom it names; whoever runs the servers can read it, too.',
    endpoints: ['POST /api/v1/statuses', 'GET /api/v1/conversations', ...LOOK_UP, ME, ...ADDRESS, ...UPLOAD, ...SERVER],
    parameters: {
      audioOnly: { support: 'composed', detail: 'The file has to be a sound already.' },
      quotePost: { support: 'composed', detail: 'Its address is put below the text.' },
      inGroup: { support: 'composed', detail: 'The id of a conversation of several, as the inbox has it.' },
    },
  },
  sendMessageReaction: {
    support: 'unsupported',
    reason: 'NO_FEATURE',
    detail: 'Nobody reacts to messages with emojis here.',
    alternatives: ['likePost'],
  },

  getCommunity: noCommunities,
  getCommunityPosts: noCommunities,
  getCommunityMembers: noCommunities,

  getLists: { ...native('GET /api/v1/lists', ME), detail: 'All of them are one page.' },
  createList: {
    ...native('POST /api/v1/lists', ME),
    detail: 'A list is always private.',
    parameters: {
      description: { support: 'unsupported', reason: 'NO_FEATURE', detail: 'A list has a name only.' },
    },
  },
  deleteList: native('DELETE /api/v1/lists/:id'),
  getList: native('GET /api/v1/lists/:id', ME),
  getListPosts: native('GET /api/v1/timelines/list/:id'),
  getListMember: native('GET /api/v1/lists/:id/accounts', ME, RELATIONS),
  addListMember: {
    ...native('POST /api/v1/lists/:id/accounts', 'GET /api/v1/accounts/:id/lists', 'GET /api/v1/lists/:id', ...LOOK_UP, ME),
    detail: 'Only somebody whom one follows.',
  },
  removeListMember: native('DELETE /api/v1/lists/:id/accounts', 'GET /api/v1/accounts/:id/lists', 'GET /api/v1/lists/:id', ...LOOK_UP, ME),

  getTopic: { support: 'composed', detail: 'A hashtag.', endpoints: ['GET /api/v1/tags/:name'] },
  getTopicPosts: { support: 'composed', detail: 'The posts with a hashtag.', endpoints: ['GET /api/v1/timelines/tag/:tag'] },
} satisfies Partial<SocialPlatform['capabilities']>;
