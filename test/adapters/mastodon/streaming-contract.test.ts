import { z } from 'zod';
import { notifierContract } from '../../contract/notifier.ts';
import { openStreaming, watching } from './streaming-fixture.ts';

const Connections = z.object({ connections: z.array(z.unknown()) });
const OPERATIONS = [
  'getHomeTimeline',
  'getPosts',
  'getUserMedia',
  'getMentions',
  'getPostNotifications',
  'getInbox',
  'getListPosts',
  'getTopicPosts',
];

notifierContract(async () => {
  const rules = [watching('mentions', 'getMentions')];
  const { server, order, ...followed } = await openStreaming(rules);
  const ada = await server.as('ada');
  return {
    followed,
    rules,
    clock: server.clock,
    change: () => ada.v1.statuses.create({ status: '@fanfare hello' }),
    hints: ['getMentions all'],
    all: OPERATIONS.map((operation) => `${operation} all`),
    disconnect: () => order('/mastodon/streaming', {}),
    connections: async () => Connections.parse(await order('/mastodon/streaming')).connections.length,
  };
});
