import { notifierContract } from '../../contract/notifier.ts';
import { openStream, watching } from './stream-fixture.ts';

notifierContract(async () => {
  const rules = [watching('ada', 'getPosts', { user: 'ada' })];
  const { server, state, post, ...followed } = await openStream({ rules });
  return {
    followed,
    rules,
    clock: server.clock,
    change: () => post('A checkmate'),
    hints: ['getPosts ada,@ada', 'getUserMedia ada,@ada'],
    all: ['getPosts all', 'getUserMedia all'],
    disconnect: () => server.control('/stream', {}),
    connections: async () => (await state()).connections,
  };
});
