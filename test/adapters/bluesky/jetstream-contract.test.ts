import { z } from 'zod';
import { notifierContract } from '../../contract/notifier.ts';
import { openJetstream, watching } from './jetstream-fixture.ts';

const Connections = z.object({ connections: z.array(z.unknown()) });
const ADA = 'ada.sandbox.test';

notifierContract(async () => {
  const rules = [watching('ada', 'getPosts', { user: ADA })];
  const { server, order, ...followed } = await openJetstream(rules);
  const ada = await server.signIn('ada');
  return {
    followed,
    rules,
    clock: server.clock,
    change: () => ada.post(server.record('A checkmate')),
    hints: [`getPosts ${ADA},@${ADA}`, `getUserMedia ${ADA},@${ADA}`],
    all: ['getPosts all', 'getUserMedia all'],
    disconnect: () => order('/bluesky/jetstream', {}),
    connections: async () => Connections.parse(await order('/bluesky/jetstream')).connections.length,
  };
});
