import { expect, test } from 'vitest';
import { rulesInVersions } from '#src/discord/assistant-tools/approved-rules.ts';
import { decideDrafts } from '#src/discord/assistant-tools/decide-drafts.ts';
import type { RuleVersions } from '#src/engine/rule-sets/rule-versions.ts';
import { silentLog } from '#src/log.ts';
import { cardRule } from '../../engine/rule-sets/fixture.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openEmptyStore } from '../../support/postgres-stores.ts';

const accounts = { streaming: { all: ['twitch'], defaults: ['twitch'] }, discord: { all: ['discord'], defaults: ['discord'] } };
const ADA = { id: '1', name: 'ada', server: undefined, may: () => true };
const GRACE = { ...ADA, id: '2', name: 'grace' };

/** Two processes that decide about the draft of a rule. `beforePublish` runs in the first one after its check of all rules. */
async function openDraft(beforePublish: () => Promise<unknown> = async () => undefined) {
  const clock = new ManualClock(SLOT_MS);
  const store = await openEmptyStore({ clock });
  const checkContext = {
    accounts,
    isOn: () => true,
    nowMs: () => clock.nowMs(),
    isTaken: async () => false,
    sourceToWrite: (source: string) => source,
  };
  const source = cardRule('drafted');
  const content = { kind: 'rule', rule: 'drafted', source } as const;
  await store.assistantDrafts.add({ id: 'd', content, by: '3', conversation: 'c', state: 'open', madeAt: new Date(SLOT_MS) });
  const process = (versions: RuleVersions) => {
    const approval = { accounts, isOn: () => true, nowMs: () => clock.nowMs() };
    const approvedRules = rulesInVersions({ registry: { now: { rules: [] } }, versions, ...approval });
    return decideDrafts({ drafts: store.assistantDrafts, checkContext, approvedRules, posting: undefined, log: silentLog });
  };
  const { ruleVersions } = store;
  return {
    one: process({ ...ruleVersions, publish: async (one) => (await beforePublish(), ruleVersions.publish(one)) }),
    other: process(ruleVersions),
    state: async () => (await store.assistantDrafts.find('d'))?.state,
    inForce: async () => (await ruleVersions.inForce())?.approves,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

test('a draft that another process drops while all rules are checked is not published', async () => {
  let drop = async (): Promise<unknown> => undefined;
  await using draft = await openDraft(() => drop());
  drop = () => draft.other.drop('d', GRACE);

  expect(await draft.one.approve('d', ADA)).toMatchObject({ state: 'decided', before: { state: 'dropped', decidedBy: '2' } });
  expect([await draft.state(), await draft.inForce()]).toEqual(['dropped', undefined]);
});

test('of a draft that one process approves and another one drops at the same moment, the card shows what happened', async () => {
  for (let round = 0; round < 5; round++) {
    const publishing = Promise.withResolvers<void>();
    await using draft = await openDraft(async () => publishing.resolve());
    const approving = draft.one.approve('d', ADA);
    await publishing.promise;

    const decisions = await Promise.all([approving, draft.other.drop('d', GRACE)]);

    const isApproved = decisions[0].state === 'approved';
    expect(decisions.map(({ state }) => state)).toEqual(isApproved ? ['approved', 'decided'] : ['decided', 'dropped']);
    expect([await draft.state(), await draft.inForce()]).toEqual(isApproved ? ['approved', 'drafted'] : ['dropped', undefined]);
  }
});
