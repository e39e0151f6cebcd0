import { describe, expect, onTestFinished, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { createReplays } from '#src/app/replay-rules.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import type { ReplayRun } from '#src/engine/simulation/replay/replay-view.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Store } from '#src/store/store.ts';
import { run } from '../engine/simulation/replay/replay-fixture.ts';
import { ManualClock } from '../support/manual-clock.ts';

const config = configOfEnvironment({ FANFARE_RULES: '/nowhere' });
const RULE = ({ id = 'live', text = 'is live' } = {}): string => `id: ${id}
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace] } }
then: [{ id: card, do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }} ${text}" } }]
`;

function rulesIn(source: string): readonly Rule[] {
  return checkRule({ file: 'live.yaml', source, catalogue, accounts: accountsOf(config) }).rules;
}

function stream(handle: string): Item {
  return { id: `${handle}-1`, owner: { id: handle, handle, displayName: handle }, viewerCount: 900, startedAt: '2026-11-20T18:00:30Z' };
}

/** Five minutes in which ada, and then grace, went live. */
async function announced() {
  const rules = rulesIn(RULE());
  const stage = await run({
    rules,
    seen: (_, afterMs) => [...(afterMs > 60_000 ? [stream('ada')] : []), ...(afterMs > 180_000 ? [stream('grace')] : [])],
    forMs: 300_000,
  });
  onTestFinished(() => stage[Symbol.asyncDispose]());
  const replay = createReplays({ config, store: stage.store, clock: new ManualClock(stage.endMs) });
  return { rules, stage, replay: (source?: string) => replay(rules, { name: 'live', backMs: 3_600_000, source }) };
}

function eventsOf({ views }: ReplayRun): readonly string[] {
  return views.flatMap(({ events }) => events.map(({ kind, about, expected = [] }) => `${kind} ${about}: ${expected.join(' ')}`));
}

describe('a replay beside a running process', () => {
  test('of the loaded rule equals what was sent', async () => {
    const { replay } = await announced();

    expect(eventsOf(await replay())).toEqual(['same ada: ada is live', 'same grace: grace is live']);
  });

  test('of an edited text shows what the edit changes, and stores nothing', async () => {
    const { replay, stage } = await announced();
    const before = await contentOf(stage.store);

    const edited = await replay(RULE({ text: 'plays' }).replace('[ada, grace]', '[ada]'));

    expect(eventsOf(edited)).toEqual(['other ada: ada plays', 'fewer grace: ']);
    expect(await contentOf(stage.store)).toEqual(before);
  });

  test('of a text with errors has its diagnostics', async () => {
    const { replay } = await announced();

    const { views, diagnostics } = await replay(RULE().replace('every', 'evry'));

    expect([views, diagnostics[0]]).toMatchObject([[], { severity: 'error', line: 2 }]);
  });

  test('of a text with another id is refused', async () => {
    const { replay } = await announced();

    await expect(replay(RULE({ id: 'other' }))).rejects.toThrow('The text has no rule with the id live. Keep the id of the rule.');
    expect(eventsOf(await replay())).toHaveLength(2);
  });
});

describe('the limit of a replay', () => {
  test.for([
    ['polls', { mostSlots: 3, withinMs: 60_000 }, 3, ['same ada: ada is live']],
    ['time, before the first poll if necessary', { mostSlots: 3, withinMs: 0 }, undefined, []],
  ] as const)('ends it after %s', async ([, limit, count, events]) => {
    const { rules, stage } = await announced();
    const replay = createReplays({ config, store: stage.store, limit, clock: new ManualClock(stage.endMs) });

    const limited = await replay(rules, { name: 'live', backMs: 3_600_000 });

    const [view] = limited.views;
    expect([view?.slots?.count, eventsOf(limited)]).toEqual([count, events]);
    expect(view?.endedAt).toBeDefined();
  });
});

/** What a rule stores. */
async function contentOf({ deliveryLog, decisions, episodes, ruleStates, auditLog }: Store): Promise<readonly unknown[]> {
  return [
    await deliveryLog.list(),
    await decisions.list(),
    await episodes.list({ rule: 'live' }),
    await ruleStates.load('live'),
    await auditLog.list(),
  ];
}
