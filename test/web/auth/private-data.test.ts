import { expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperations } from '../../support/operations.ts';
import { postingOver } from '../../support/posting-over.ts';
import { NOW } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';
import { Browser } from './browser.ts';

const OPERATOR = { name: 'root', via: 'cli', role: 'admin' } as const;
const PASSWORD = 'correct horse battery';
const ADDRESS = '203.0.113.77';

/** An installation with an admin and a viewer, who are signed in. */
async function openBoth() {
  const clock = new ManualClock(NOW);
  const store = await openStore({ clock });
  const posting = postingOver(store, clock, ['x']);
  const { routes, access, apiQueries } = await openSite({
    host: '0.0.0.0',
    allowedHosts: ['fanfare.example'],
    store,
    operations: { ...noOperations, auditLog: store.auditLog, waitingPosts: () => posting.allWaiting() },
  });
  const signIn = async (name: string, role: 'admin' | 'editor' | 'viewer', address: string) => {
    await access.addPerson({ name, role, password: PASSWORD }, OPERATOR);
    const browser = new Browser(routes, { address });
    await browser.signIn(name, PASSWORD);
    return async (path: string) => (await browser.request(path)).text();
  };
  return {
    apiQueries,
    posting,
    admin: await signIn('ada', 'admin', ADDRESS),
    editor: await signIn('ed', 'editor', '192.0.2.51'),
    viewer: await signIn('vi', 'viewer', '192.0.2.50'),
  };
}

test.for(['/api/actions', '/audit'])('only admins read the addresses of people: %s', async (path) => {
  const { admin, viewer } = await openBoth();

  expect(await admin(path)).toContain(ADDRESS);
  expect(await viewer(path)).toContain('ada');
  expect(await viewer(path)).not.toContain(ADDRESS);
});

test('nobody reads what others write in channels of rules', async () => {
  const { apiQueries, admin } = await openBoth();
  const messages = [
    { content: 'ada is live', author: { handle: 'fanfare', self: true } },
    { content: 'a private word', author: { handle: 'ada', self: false } },
  ];
  Object.assign(apiQueries, { messages: () => Promise.resolve(messages) });

  const answer = await admin('/api/messages');
  expect(answer).toContain('ada is live');
  expect(answer).not.toContain('a private word');
});

test.for(['/api/waiting-posts', '/posts'])('only editors read the texts of waiting posts: %s', async (path) => {
  const { posting, editor, viewer } = await openBoth();
  const at = new Date(NOW.getTime() + 3_600_000);
  await posting.send(
    { text: 'We announce the merger', accounts: ['x'] },
    { id: 'post-in-an-hour', by: { id: '1', name: 'linus' }, server: 'home', at },
  );

  expect(await editor(path)).toContain('We announce the merger');
  const refused = await viewer(path);
  expect(refused).toContain('role editor');
  for (const part of ['merger', 'linus', 'post-in-an-hour']) expect(refused).not.toContain(part);
});
