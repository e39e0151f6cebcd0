import {
  describeAccount,
  expireAccess,
  listBlueskyMessages,
  listBlueskyPosts,
  revokeBluesky,
  setUpstream,
  spendPoints,
  takeDown,
} from '../bluesky/control-endpoints.ts';
import type { ControlEndpoint } from '../control/endpoint.ts';
import { addFault, changeWorld, deleteFaults, getNow, listEvents, listFaults, listRequests } from '../control/endpoints.ts';
import * as discord from '../discord/control/endpoints.ts';
import { getInteraction, sendInteraction } from '../discord/control/interaction-endpoints.ts';
import { revokeKickTokens } from '../kick/control-endpoints.ts';
import { changeMastodon, listMastodonPosts, listRepeats, openMastodonSession } from '../mastodon/control-endpoints.ts';
import { createGroup, hideReply, listSocialPosts, openSocialSession } from '../social/control-endpoints.ts';
import { revokeTwitchTokens } from '../twitch/control-endpoints.ts';
import { changeX, listXMessages, listXPosts, openXSession, revokeX, setXPremium, suspendX } from '../x/control-endpoints.ts';

/** A section of the reference. */
export interface EndpointGroup {
  readonly title: string;
  readonly endpoints: readonly ControlEndpoint[];
}

/** All endpoints of the control API. Examples run in this order, because they use what earlier ones wrote. */
export const endpointGroups: readonly EndpointGroup[] = [
  { title: 'Streams', endpoints: [changeWorld, listEvents, getNow] },
  { title: 'Faults and requests', endpoints: [addFault, listFaults, deleteFaults, listRequests] },
  {
    title: 'Discord',
    endpoints: [
      discord.getServer,
      discord.writeMessage,
      discord.listMessages,
      discord.addReaction,
      discord.openThread,
      discord.setThreadState,
      discord.deleteContent,
      sendInteraction,
      getInteraction,
      discord.setEndpoint,
      discord.setPermissions,
      discord.changeServer,
      discord.disturbGateway,
      discord.limitShards,
    ],
  },
  { title: 'The social platform', endpoints: [openSocialSession, listSocialPosts, createGroup, hideReply] },
  { title: 'Twitch and Kick', endpoints: [revokeTwitchTokens, revokeKickTokens] },
  { title: 'X', endpoints: [openXSession, listXPosts, listXMessages, changeX, revokeX, suspendX, setXPremium] },
  { title: 'Mastodon', endpoints: [openMastodonSession, listMastodonPosts, changeMastodon, listRepeats] },
  {
    title: 'Bluesky',
    endpoints: [describeAccount, listBlueskyPosts, listBlueskyMessages, spendPoints, expireAccess, revokeBluesky, takeDown, setUpstream],
  },
];
