import { expect, onTestFinished, test, vi } from 'vitest';
import type { AuditEntry } from '#src/admin/actions/audit-log.ts';
import { createRuleActions, type RuleActionParts } from '#src/admin/actions/rule-actions.ts';
import { readPauses } from '#src/admin/actions/pauses.ts';
import { ruleRevision } from '#src/admin/actions/rule-revision.ts';
import type { RuleState } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { DatabaseUnavailable } from '#src/store/postgres/database-error.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { rulesOf } from '../../support/rule-language.ts';

const EDITOR = { name: 'ada', via: 'discord', role: 'editor', id: '7', origin: '42' } as const;
const BY = { name: 'ada', via: 'discord', id: '7', origin: '42' };

const RULES = rulesOf(`id: games
each: { game: [Chess, Go] }
when: { every: 1m, watch: streaming.getGameStreams, with: { game: "\${{ each.game }}" } }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`);

const COUNTING = rulesOf(`id: counting
when: { every: 1m }
keep: { count: keep.count + 1, names: { start: [], next: keep.names } }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`);

/** The fields of an entry, without its id and its time. */
function withoutId({ action, by, target, outcome, before, after }: AuditEntry) {
  return { action, by, target, outcome, ...(before && { before }), ...(after && { after }) };
}

/** The actions over a store, with runs that a test controls. */
async function openActions(run: RuleActionParts['run'] = () => Promise.resolve(undefined)) {
  const clock = new ManualClock(SLOT_MS);
  const store: Store = await openStore({ clock });
  onTestFinished(() => store[Symbol.asyncDispose]());
  const unused = () => Promise.reject(new Error('not part of this test'));
  const actions = createRuleActions({
    ...store,
    rules: () => [...RULES, ...COUNTING],
    isOn: () => true,
    run,
    test: unused,
    preview: unused,
    replay: unused,
    clock,
  });
  const logged = async () => (await store.auditLog.list()).items.map(withoutId).toReversed();
  return { actions, logged, store };
}

test('administrators of one server cannot act on the whole installation', async () => {
  const { actions, logged } = await openActions();

  const pause = actions.pauseRule({ rule: 'games' }, { ...EDITOR, role: 'admin', scope: { server: '43' } });

  await expect(pause).rejects.toThrow('this action is for the whole installation');
  expect(await logged()).toEqual([]);
});

test('a pause is logged with its actor and the state before and after it; a second one changes nothing', async () => {
  const { actions, logged } = await openActions();
  const until = new Date(SLOT_MS + 60_000);

  const first = await actions.pauseRule({ rule: 'games', until }, EDITOR);
  const second = await actions.pauseRule({ rule: 'games', until }, { ...EDITOR, name: 'grace' });
  await actions.resumeRule({ rule: 'games/Go' }, EDITOR);

  const both = ['games/Chess', 'games/Go'];
  expect([first, second]).toEqual([
    { rules: both, changed: both },
    { rules: both, changed: [] },
  ]);
  const pause = { by: 'ada (Discord)', at: new Date(SLOT_MS).toISOString(), until: until.toISOString() };
  expect(await logged()).toEqual([
    {
      action: 'pauseRule',
      by: BY,
      target: 'games',
      outcome: 'done',
      before: { 'games/Chess': null, 'games/Go': null },
      after: { 'games/Chess': pause, 'games/Go': pause },
    },
    { action: 'pauseRule', by: { ...BY, name: 'grace' }, target: 'games', outcome: 'unchanged' },
    { action: 'resumeRule', by: BY, target: 'games/Go', outcome: 'done', before: { 'games/Go': pause }, after: { 'games/Go': null } },
  ]);
});

test('if the database fails at the end of an action, its person gets its result or its error, and the log does not show a failure', async () => {
  const { actions, logged, store } = await openActions();
  const lost = new DatabaseUnavailable(new Error('terminated'));
  const broken = vi.spyOn(store.auditLog, 'end').mockRejectedValueOnce(lost).mockRejectedValueOnce(lost);

  const paused = await actions.pauseRule({ rule: 'games/Go' }, EDITOR);
  const refused = actions.pauseRule({ rule: 'games/Go', until: new Date(SLOT_MS) }, EDITOR);

  await expect(refused).rejects.toThrow('The end of a pause must be in the future.');
  expect(paused).toEqual({ rules: ['games/Go'], changed: ['games/Go'] });
  expect(broken).toHaveBeenCalledTimes(2);
  expect((await logged()).map(({ outcome }) => outcome)).toEqual(['started', 'started']);
});

test('a planned pause is logged with its times; a pause that ends before it begins is refused', async () => {
  const { actions, logged, store } = await openActions();
  const [from, until] = [new Date(SLOT_MS + 60_000), new Date(SLOT_MS + 120_000)];
  const rule = 'games/Go';

  expect(await actions.pauseRule({ rule, from, until }, EDITOR)).toEqual({ rules: [rule], changed: [rule] });
  expect(await actions.pauseRule({ rule, from, until }, EDITOR)).toEqual({ rules: [rule], changed: [] });
  await expect(actions.pauseRule({ rule, from: until, until: from }, EDITOR)).rejects.toThrow('after its start');
  expect(await actions.resumeRule({ rule }, EDITOR)).toEqual({ rules: [rule], changed: [] });
  expect(await actions.resumeRule({ rule, planned: true }, EDITOR)).toEqual({ rules: [rule], changed: [rule] });
  // A start that has come is now.
  await actions.pauseRule({ rule, from: new Date(SLOT_MS), until }, EDITOR);

  const entry = { by: BY, target: rule };
  const planned = { [rule]: { planned: [{ by: 'ada (Discord)', from: from.toISOString(), until: until.toISOString() }] } };
  const none = { [rule]: null };
  expect((await logged()).filter(({ outcome }) => outcome === 'done')).toEqual([
    { ...entry, action: 'pauseRule', outcome: 'done', before: none, after: planned },
    { ...entry, action: 'resumeRule', outcome: 'done', before: planned, after: none },
    expect.objectContaining({ action: 'pauseRule' }),
  ]);
  expect((await store.ruleStates.paused()).get(rule)?.person?.plannedMs).toBeUndefined();
});

test('a rule has at most 50 planned pauses', async () => {
  const { actions, store } = await openActions();
  const plan = (minute: number) => actions.pauseRule({ rule: 'games/Go', from: new Date(SLOT_MS + minute * 60_000) }, EDITOR);
  for (let minute = 1; minute <= 50; minute++) await plan(minute);

  await expect(plan(51)).rejects.toThrow('A rule can have 50 planned pauses');
  expect((await store.ruleStates.planned()).get('games/Go')).toHaveLength(50);
});

test('a plan changes the revision of its rule', async () => {
  const { actions, store } = await openActions();
  const [rule] = RULES;
  const revision = async () => ruleRevision(rule ? [rule] : [], await readPauses(store.ruleStates), () => true);
  const seen = await revision();
  const from = new Date(SLOT_MS + 60_000);
  await actions.pauseRule({ rule: 'games/Chess', from, revision: seen }, EDITOR);

  expect(await revision()).not.toBe(seen);
  await expect(actions.resumeRule({ rule: 'games/Chess', planned: true, revision: seen }, EDITOR)).rejects.toThrow(
    'Another person changed',
  );
  await actions.resumeRule({ rule: 'games/Chess', planned: true, revision: await revision() }, EDITOR);
  expect(await revision()).toBe(seen);
});

test('a pause cannot end in the past', async () => {
  const { actions } = await openActions();

  await expect(actions.pauseRule({ rule: 'games', until: new Date(SLOT_MS) }, EDITOR)).rejects.toThrow('must be in the future');
  expect((await actions.resumeRule({ rule: 'games' }, EDITOR))?.changed).toEqual([]);
});

test('an actor without the role changes nothing', async () => {
  const { actions, logged } = await openActions();

  await expect(actions.pauseRule({ rule: 'games' }, { ...EDITOR, role: 'viewer' })).rejects.toThrow('ada needs the role editor');
  expect(await logged()).toEqual([]);
  expect((await actions.resumeRule({ rule: 'games' }, EDITOR))?.changed).toEqual([]);
});

test('an action on a rule that does not exist is refused, and one that throws is logged as failed', async () => {
  const { actions, logged } = await openActions(() => Promise.reject(new Error('no route to the platform')));

  expect(await actions.pauseRule({ rule: 'none' }, EDITOR)).toBeUndefined();
  await expect(actions.runRule({ rule: 'games/Go' }, EDITOR)).rejects.toThrow('no route');
  expect((await logged()).map(({ action, outcome, after }) => [action, outcome, after])).toEqual([
    ['pauseRule', 'refused', undefined],
    ['runRule', 'failed', { error: 'no route to the platform' }],
  ]);
});

test('a name of several instances runs and announces none of them', async () => {
  let runs = 0;
  const { actions } = await openActions(() => Promise.resolve((runs++, { decisions: [], firings: [] })));

  await expect(actions.runRule({ rule: 'games' }, EDITOR)).rejects.toThrow('name one of them, for example games/Chess');
  await expect(actions.announceItem({ rule: 'games', item: 'ada' }, EDITOR)).rejects.toThrow('name one of them, for example games/Chess');
  expect(runs).toBe(0);
});

test('of two people who run a rule at once, the second gets the run of the first', async () => {
  const { promise, resolve } = Promise.withResolvers<{ decisions: []; firings: [] }>();
  let runs = 0;
  const { actions, logged } = await openActions(() => (runs++, promise));

  const both = [actions.runRule({ rule: 'games/Go' }, EDITOR), actions.runRule({ rule: 'games/Go' }, { ...EDITOR, name: 'grace' })];
  // Both have begun once both are logged.
  await expect.poll(async () => (await logged()).length).toBe(2);
  resolve({ decisions: [], firings: [] });
  const [first, second] = await Promise.all(both);

  expect(first).toBe(second);
  expect(runs).toBe(1);
  await actions.runRule({ rule: 'games/Go' }, EDITOR);
  expect(runs).toBe(2);
});

test('a stored value is set and logged, and a firing that was computed from the old value is refused', async () => {
  const { actions, logged, store } = await openActions();
  const [rule = RULES[0]] = COUNTING;
  if (!rule) throw new Error('there is no rule');
  const fire = (state: RuleState, slotMs: number) =>
    store.ruleStates.commit({ rule: rule.id, slotMs, afterMs: state.slotMs ?? 0, ...advance({ rule, state, slotMs }) });
  await fire(await store.ruleStates.load('counting'), SLOT_MS);
  const stale = await store.ruleStates.load('counting');

  const set = await actions.setValue({ rule: 'counting', name: 'count', value: 41 }, EDITOR);
  const written = [await fire(stale, SLOT_MS + 60_000), await fire(await store.ruleStates.load('counting'), SLOT_MS + 60_000)];

  expect(set).toEqual({ rule: 'counting', name: 'count', value: 41, before: 1 });
  expect(written).toEqual([false, true]);
  expect((await store.ruleStates.load('counting')).memory.kept).toEqual({ count: 42, names: [] });
  expect(await logged()).toEqual([
    { action: 'setValue', by: BY, target: 'counting', outcome: 'done', before: { count: 1 }, after: { count: 41 } },
  ]);
});

test.for([
  ['an unknown value', 'cuont', 1, 'The rule counting has no stored value cuont. Did you mean count?'],
  ['another type', 'count', 'many', 'it is not a whole number'],
  ['a rule without stored values', 'count', 1, 'The rule games has several instances', 'games'],
] as const)('a stored value is not set: %s', async ([, name, value, message, rule = 'counting']) => {
  const { actions } = await openActions();

  await expect(actions.setValue({ rule, name, value }, EDITOR)).rejects.toThrow(message);
});
