import { POST_RULE } from '#src/engine/posting/posts.ts';
import type { Store } from '#src/store/store.ts';
import { committing, creating, episodeOf, firing, SLOT_MS } from './firings.ts';

/** Fills every table of an empty store with at least one row, also with unusual characters. */
export async function fillState(store: Store): Promise<void> {
  await fillRules(store);
  await fillPosts(store);
  await fillAccounts(store);
  await fillConversations(store);
  await fillAccess(store);
  await fillRequests(store);
  await fillLists(store);
  await fillServers(store);
  await store.environments.begin('real', { isAlone: true });
}

async function fillRequests({ repeatedRequests }: Store): Promise<void> {
  await repeatedRequests.claim({ actor: 'ada', key: 'k1', fingerprint: 'f1' });
  await repeatedRequests.answer({ actor: 'ada', key: 'k1' }, { status: 200, body: '{}' });
}

async function fillServers({ servers, notices, commandUses, memberStates }: Store): Promise<void> {
  await memberStates.keep('42', 'presence', { '7': { status: 'idle' } }, Date.now() + 60_000);
  await commandUses.keep({ id: '7', application: '1', token: 'Ä', locale: 'de' });
  await servers.join({ id: '42', name: 'Chess “Ä”', joinedAt: new Date(SLOT_MS) });
  await servers.change('42', { channel: '1', roles: { follow: ['5'] } });
  await servers.leave('42');
  await notices.begin({ server: '42', key: 'greeting', channel: '1' });
  await notices.keep({ server: '42', key: 'greeting', channel: '1', message: '9', shown: '{}' });
}

async function fillLists({ lists, listSources, outages }: Store): Promise<void> {
  const by = { name: 'ada', via: 'cli', role: 'admin' } as const;
  const added = await lists.edit({ list: 'team', server: '42' }, by, () => ({
    after: { 'Ada “Ä”': { line: 'nul \0', accounts: ['ada'] }, grace: { twitch: 'grace' } },
  }));
  await lists.edit({ list: 'team' }, by, () => ({ after: { ada: {} }, undoes: added?.id }));
  await listSources.claim('s1', { forMs: 1_000, mostMs: 1_000 });
  await listSources.keep('s1', [{ id: 'Ada “Ä”', fields: { twitch: 'ada' } }], 1_000);
  await listSources.fail('s1', 'nul \0');
  await outages.put({ account: 'x “Ä”', access: 'write', sinceMs: 1, seenMs: SLOT_MS, fault: 'unauthorized', problem: 'nul \0' });
}

async function fillRules(store: Store): Promise<void> {
  const past = { ...episodeOf('old@1'), phase: 'closed', closedMs: SLOT_MS, openedMs: SLOT_MS - 1 } as const;
  const memory = {
    firings: 1,
    firedMs: { 'half a character \ud83d': 1 },
    lastPollMs: SLOT_MS,
    blownMs: SLOT_MS,
    limitMs: [1],
    limited: [{ atMs: 1, episode: 'ada@1', change: { kind: 'entered', item: { title: 'nul \0' } } }],
    gathered: [{ atMs: 1, episode: 'ada@1', change: { kind: 'entered', item: { title: 'half \ud83d' } } }],
    clockSetBack: { atMs: 1, byMs: 2 },
  };
  const item = { key: 'twitch/1', name: 'Ada “the Ä”', picture: 'https://example.test/ada.png' };
  const fired = firing([creating(['x', 'discord'], { id: 'post' }), creating(['mastodon'], { reads: ['post'] })], {
    item,
    textVersion: 'v1',
  });
  await store.ruleStates.commit(
    committing([fired], {
      received: { webhook: 'kofi', key: 'Ä “1”', item: { from_name: 'nul \0' } },
      change: { memory, put: [episodeOf('ada@1')], drop: [], past: [past, { ...past, id: 'old@2' }] },
      decisions: [{ rule: 'live', atMs: SLOT_MS, outcome: 'fired', item: 'Ada “the Ä”', message: 'ada went live', details: { nul: '\0' } }],
    }),
  );
  await store.totals.move({ beforeMs: SLOT_MS + 1, limit: 1 });
  const [sent] = (await store.deliveryLog.list({ limit: 10 })).items.filter(({ account }) => account === 'x');
  const result = { id: 'x/1' };
  const error = { fault: 'unavailable' as const, message: 'down “Ä”' };
  if (sent) {
    await store.deliveries.change(sent, { state: 'pending', error, attemptedAt: new Date(SLOT_MS) });
    await store.deliveries.change(sent, {
      state: 'sent',
      sentAt: new Date(SLOT_MS),
      params: { message: 'x/1', text: 'Ada is “live”' },
      result,
    });
  }
  await store.ruleStates.changePauses(['live'], { pause: { by: 'ada', untilMs: SLOT_MS + 86_400_000 } });
  const holidays = { by: 'grace “Ä”', fromMs: SLOT_MS + 30 * 86_400_000, untilMs: SLOT_MS + 31 * 86_400_000 };
  await store.ruleStates.changePauses(['live'], { pause: holidays });
  await store.auditLog.start({ id: 'a1', action: 'pauseRule', by: { name: 'ada', via: 'cli' }, target: 'live' });
  await store.auditLog.end({ id: 'a1', outcome: 'done', before: { live: null }, after: { live: { by: 'ada “Ä”' } } });
  await store.ruleSources.change({ save: [{ file: 'live.yaml', source: 'id: live\n' }], forget: [] });
  await store.recordedPolls.record('q', { slotMs: SLOT_MS, params: {}, answer: { items: [], approximate: false, partialErrors: [] } });
  await store.recordedPolls.flush();
  await store.restores.note();
  await store.savedViews.keep({ command: 'status', options: '{}' });
}

async function fillPosts(store: Store): Promise<void> {
  const at = new Date(SLOT_MS + 3_600_000);
  await store.posts.commit({
    id: 'p1',
    server: 'home',
    by: { id: '1', name: 'ada' },
    text: 'hello',
    isQueued: false,
    chooseTime: () => at,
    toFiring: () => firing([creating(['x'])], { rule: POST_RULE, episode: 'p1', queue: 'p1', atMs: at.getTime() }),
    toDecision: () => ({ rule: POST_RULE, atMs: SLOT_MS, outcome: 'fired', episode: 'p1', message: 'ada posted' }),
  });
  await store.postDrafts.keep({ id: 'd1', owner: '1', body: { text: 'draft' } });
}

async function fillAccounts(store: Store): Promise<void> {
  await store.standingMessages.keep('discord', 'top', 'live/1');
  await store.sealedRows.save('x', 'sealed');
  await store.spentSums.add({ account: 'x', month: '2026-11', microUsd: 25 });
  await store.accountUsage.note([{ account: 'x “Ä”', hourMs: SLOT_MS, leastLeftRatio: 0.5, spentUsd: 2.5 }]);
  await store.spentSums.addRows({ account: 'x', day: '2026-11-20', rows: ['1', '2'] });
  await store.statedLimits.keep('https://social.test', 500);
  await store.notifiers.textOf('twitch “Ä”').save('{"conduit":"Ä"}');
  await store.notifiers.keepReport('twitch “Ä”', { state: 'failed', problem: 'nul \0', notifiedAt: new Date(SLOT_MS) });
  await store.subscriptionsOf('feed “Ä”').keep({
    id: 's1',
    topic: 'https://example.test/feed “Ä”',
    names: ['ada “Ä”'],
    hub: 'https://hub.example.test/',
    state: 'active',
    since: new Date(SLOT_MS),
    until: new Date(SLOT_MS + 86_400_000),
  });
  await store.watchListOf('x').add({ id: '7', since: new Date(SLOT_MS) });
}

async function fillAccess(store: Store): Promise<void> {
  const access = await store.openAccess();
  const expiresAt = new Date(SLOT_MS + 3_600_000);
  await access.people.add({ id: 'password:ada', name: 'Ada', kind: 'password', role: 'admin' }, '$scrypt$');
  await access.sessions.begin({ hash: 'session', person: 'password:ada', address: '::1', expiresAt });
  await access.apiTokens.add('token', { id: 't1', name: 'ci', scope: 'read', by: 'ada', expiresAt });
  await access.attempts.take('key', { burst: 1, intervalMs: 1000 });
  await access.firstRunTokens.offer('first', { expiresAt });
}

async function fillConversations(store: Store): Promise<void> {
  const [conversation, at] = ['c1', new Date(SLOT_MS)];
  await store.transcripts.begin(conversation, at);
  await store.transcripts.append(conversation, { id: 'm1', role: 'user', text: 'hi', createdAt: at }, { by: '1' });
  await store.assistantDrafts.add({
    id: 'd1',
    content: { kind: 'post', text: 'draft', accounts: ['x'] },
    by: '1',
    conversation,
    state: 'open',
    // Drafts are deleted after a week.
    madeAt: new Date(),
    decidedBy: undefined,
  });
  const quota = { most: 5, withinMs: 3_600_000 };
  await store.questionCounts.count({ id: 'q1', person: '1', server: 'home', nowMs: SLOT_MS }, { person: quota, server: quota });
  await store.conversationPoints.keepMessage('m9', { conversation, messageId: 'm1' }, SLOT_MS);
  await store.conversationPoints.keepLocation('p9', { conversation, messageId: 'm1' }, SLOT_MS);
  await store.conversationPoints.spend(conversation, 10, SLOT_MS);
  await store.openAnswers.keep({ id: 'a1', channel: 'live', locale: 'de', askedAt: at });
}
