import {
  describeAccount,
  disconnectJetstream,
  expireAccess,
  listBlueskyMessages,
  listBlueskyPosts,
  listJetstream,
  revokeBluesky,
  setUpstream,
  spendPoints,
  takeDown,
} from '#sandbox/bluesky/control-endpoints.ts';
import type { ControlEndpoint } from '#sandbox/control/endpoint.ts';
import {
  addFault,
  changeWorld,
  deleteFaults,
  describeWorld,
  getNow,
  listEvents,
  listFaults,
  listRequests,
  listStreamers,
  moveClock,
} from '#sandbox/control/endpoints.ts';
import * as discord from '#sandbox/discord/control/endpoints.ts';
import { getInteraction, sendInteraction } from '#sandbox/discord/control/interaction-endpoints.ts';
import { getMemberView, listHistory } from '#sandbox/discord/control/view-endpoints.ts';
import { feedHub, publishArticle } from '#sandbox/feeds/control-endpoints.ts';
import { youtubeHub } from '#sandbox/youtube/control-endpoints.ts';
import { changeKickEvents, kickEvents, revokeKickTokens } from '#sandbox/kick/control-endpoints.ts';
import {
  changeMastodon,
  disconnectMastodon,
  listMastodonPosts,
  listMastodonStreams,
  listRepeats,
  openMastodonSession,
} from '#sandbox/mastodon/control-endpoints.ts';
import { createGroup, hideReply, listSocialPosts, openSocialSession } from '#sandbox/social/control-endpoints.ts';
import {
  activateTwitch,
  disturbTwitchEventSub,
  dropTwitchChat,
  followOnTwitch,
  planStreams,
  raidOnTwitch,
  revokeTwitchTokens,
  twitchChat,
  twitchEventSub,
} from '#sandbox/twitch/control-endpoints.ts';
import {
  changeX,
  disconnectXStream,
  listXMessages,
  listXPosts,
  listXStream,
  openXSession,
  revokeX,
  setXPremium,
  suspendX,
} from '#sandbox/x/control-endpoints.ts';

/** A section of the reference. */
export interface EndpointGroup {
  readonly title: string;
  readonly endpoints: readonly ControlEndpoint[];
}

/** All endpoints of the control API. Examples run in this order, because they use what earlier ones wrote. */
export const endpointGroups: readonly EndpointGroup[] = [
  { title: 'Streams', endpoints: [changeWorld, listStreamers, listEvents, describeWorld, getNow] },
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
      getMemberView,
      listHistory,
      discord.setEndpoint,
      discord.setPermissions,
      discord.setRole,
      discord.growServer,
      discord.setMemberState,
      discord.createServer,
      discord.changeServer,
      discord.disturbGateway,
      discord.limitShards,
    ],
  },
  { title: 'The social platform', endpoints: [openSocialSession, listSocialPosts, createGroup, hideReply] },
  { title: 'Feeds', endpoints: [publishArticle, feedHub.read, feedHub.change] },
  { title: 'YouTube', endpoints: [youtubeHub.read, youtubeHub.change] },
  {
    title: 'Twitch and Kick',
    endpoints: [
      planStreams,
      activateTwitch,
      followOnTwitch,
      twitchChat,
      dropTwitchChat,
      raidOnTwitch,
      twitchEventSub,
      disturbTwitchEventSub,
      revokeTwitchTokens,
      kickEvents,
      changeKickEvents,
      revokeKickTokens,
    ],
  },
  {
    title: 'X',
    endpoints: [openXSession, listXPosts, listXMessages, changeX, revokeX, suspendX, setXPremium, listXStream, disconnectXStream],
  },
  {
    title: 'Mastodon',
    endpoints: [openMastodonSession, listMastodonPosts, changeMastodon, listRepeats, listMastodonStreams, disconnectMastodon],
  },
  {
    title: 'Bluesky',
    endpoints: [
      describeAccount,
      listBlueskyPosts,
      listBlueskyMessages,
      spendPoints,
      expireAccess,
      revokeBluesky,
      takeDown,
      setUpstream,
      listJetstream,
      disconnectJetstream,
    ],
  },
  // Last, because the moved clock would change the other examples.
  { title: 'Time', endpoints: [moveClock] },
];
