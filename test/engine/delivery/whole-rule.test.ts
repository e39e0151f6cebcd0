import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { planSteps } from '#src/rules/firing.ts';
import { renderStep } from '#src/rules/render.ts';
import { openStore } from '#src/store/store.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { committing, firing, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ada, catalogue, ruleOf, scopeOf } from '../../support/rule-language.ts';

const RULE = `
id: all
vars: { greeting: Hi }
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, grace: 20m }
then:
  - id: post
    do: social.createPost
    as: [bluesky, mastodon]
    fit: thread
    onError: stop
    with: { text: "\${{ vars.greeting }}, \${{ item.owner.displayName }} is live. \${{ item.title }} \${{ item.url }}" }
  - id: cards
    do: discord.send
    forEach: \${{ items }}
    with: { channel: live, content: "\${{ index }} \${{ it.title }}" }
  - wait: 10m
  - id: verdict
    do: discord.ask
    maxAge: 12h
    with: { channel: mods, content: "It is \${{ date(now, 'UTC') }}: go on?", choices: [send, drop] }
  - do: social.createPost
    as: [bluesky, mastodon]
    if: steps.verdict.choice == "send"
    with:
      replyTo: \${{ steps.post.own.id }}
      text: "after \${{ steps.post.on.mastodon.id }}: \${{ steps.cards.map(c, c.id).join(' ') }}"
`;

const textLimit: TextLimit = { most: 60, lengthOf: (text) => text.length };

test('a rule with a thread, a list, a wait, a question and results of several accounts is sent to its platforms', async () => {
  const rule = ruleOf(RULE);
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  const platform = new FakePlatform(clock);
  const engine = createDeliveryEngine({
    deliveries: store.deliveries,
    perform: platform.perform,
    recover: platform.recover,
    render: ({ delivery: { section, account }, ...due }, results) =>
      renderStep({ ...due, section, account, results, textLimit, catalogue }),
    isQuestion: (verb) => verb === 'discord.ask',
    clock,
    log: silentLog,
  });
  const of = { rule: 'all', episode: 'ada@1', section: 'then', occasion: '1' } as const;
  const item = { ...ada, title: 'Chess, until somebody wins.' };
  const scope = scopeOf(item, { items: [item, { ...item, id: '42' }], now: new Date(SLOT_MS).toISOString() });
  const fired = { ...firing([], { ...of, scope, names: rule.names }), steps: planSteps(rule.then, of) };

  const stop = new AbortController();
  const running = engine.run(stop.signal);
  await store.ruleStates.commit(committing([fired], { rule: 'all' }));
  engine.wake();
  await clock.advance(10 * 60_000);
  const { items: asked } = await store.deliveryLog.list({ state: 'asked' });
  for (const { id } of asked) await engine.answer(id, { choice: 'send' });
  await clock.advance(0);
  stop.abort();
  await clock.advance(60_000);
  await running;

  const records = Map.groupBy(platform.records, ({ account }) => account);
  const idOf = (account: string, index: number) => records.get(account)?.[index]?.id ?? '';
  const thread = (account: string) => [
    { text: 'Hi, Ada is live. Chess, until somebody wins.' },
    { text: 'https://twitch.tv/ada_', replyTo: idOf(account, 0) },
    { text: `after ${idOf('mastodon', 0)}: ${idOf('discord', 0)} ${idOf('discord', 1)}`, replyTo: idOf(account, 0) },
  ];
  expect(records.get('bluesky')?.map(({ params }) => params)).toEqual(thread('bluesky'));
  expect(records.get('mastodon')?.map(({ params }) => params)).toEqual(thread('mastodon'));
  expect(records.get('discord')?.map(({ params }) => params['content'])).toEqual([
    '0 Chess, until somebody wins.',
    '1 Chess, until somebody wins.',
    'It is Nov 20, 2026, 6:10 PM: go on?',
  ]);
});
