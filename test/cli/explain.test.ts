import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openExplainer } from '#src/app/open-explainer.ts';
import { openOfflineActions } from '#src/app/open-offline-actions.ts';
import { check } from '#src/cli/check.ts';
import { explain, explainItem } from '#src/cli/explain.ts';
import { pause, resume } from '#src/cli/pause.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { mergeKey } from '#src/engine/planner/merge-queries.ts';
import type { Decision } from '#src/rules/decision.ts';
import { NEW_STATE, type RuleMemory } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { openRules } from '#src/app/open-rules.ts';
import { settle } from '../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf } from '../support/firings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines, exitCodeOf } from './collect-lines.ts';

const RULE = `id: top
about: Who is at the top.
when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }, take: 5 }
cooldown: 6h
quiet: { from: "23:00", to: "08:00", timezone: Europe/Paris, then: hold }
then:
  - { id: card, do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
`;
const EACH = `id: games
each: { game: [Chess, Go] }
when: { every: 1m, watch: streaming.getGameStreams, with: { game: "\${{ each.game }}" }, take: 3, settle: 2m }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
`;

interface Installation extends Disposable {
  readonly environment: Readonly<Record<string, string>>;
  readonly rules: string;
  keep(use: (store: Store) => Promise<void>): Promise<void>;
}

async function install(files: Readonly<Record<string, string>>): Promise<Installation> {
  const folder = temporaryFolder();
  const [rules, data] = [join(folder.path, 'rules'), join(folder.path, 'data')];
  await mkdir(rules);
  await mkdir(data);
  for (const [file, text] of Object.entries(files)) await writeFile(join(rules, file), text);
  return {
    rules,
    environment: { FANFARE_RULES: rules, FANFARE_DATA: data },
    async keep(use) {
      await using store = await openStore({ file: join(data, 'fanfare.sqlite') });
      await use(store);
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function commit(
  store: Store,
  rule: string,
  decisions: readonly Omit<Decision, 'rule'>[],
  memory: Partial<RuleMemory> = {},
): Promise<void> {
  const change = { memory: { firings: 0, firedMs: {}, ...memory }, put: [], drop: [] };
  const made = { rule, slotMs: Date.now(), change, firings: [], withdrawals: [] };
  await store.ruleStates.commit({ ...made, decisions: decisions.map((one) => ({ rule, ...one })) });
}

const ADA = { name: 'ada', via: 'cli', role: 'admin' } as const;

/** The parts that the commands `pause` and `resume` use. */
function parts({ environment }: Installation) {
  return { explainer: openExplainer(environment), actions: openOfflineActions(environment), by: ADA };
}

async function explained(installation: Installation, rule: string): Promise<string> {
  const { out, text } = collectLines();
  await exitCodeOf(explain({ explainer: openExplainer(installation.environment), rule, out }), out);
  return text();
}

describe('explain', () => {
  test('shows the latest decision of each kind first', async () => {
    using installation = await install({ 'top.yaml': RULE });
    const unchanged = Array.from(
      { length: 1000 },
      (_, n) => ({ atMs: 1_000_000 + n, outcome: 'unchanged', message: `nothing changed ${n}` }) as const,
    );
    await installation.keep((store) =>
      commit(store, 'top', [
        { atMs: 1000, outcome: 'fired', message: 'ada entered at #2' },
        { atMs: 2000, outcome: 'suppressed', message: 'if: item.viewerCount >= 1000: 740 < 1000' },
        ...unchanged,
      ]),
    );

    const lines = (await explained(installation, 'top')).split('\n');

    const first = lines.indexOf('Latest decision of each kind:');
    expect(lines.slice(first + 1, first + 4).map((line) => line.replace(/^.*:\d\d  /u, ''))).toEqual([
      'fired       ada entered at #2',
      'suppressed  if: item.viewerCount >= 1000: 740 < 1000',
      'unchanged   nothing changed 999',
    ]);
  });

  test('shows the next runs, the cost, the cooldown, the quiet hours and the fuse', async () => {
    using installation = await install({ 'top.yaml': RULE, 'games.yaml': EACH });
    const nowMs = Date.now();
    await installation.keep((store) => commit(store, 'top', [], { firedMs: { ada: nowMs - 3_600_000 }, fusedMs: [nowMs] }));

    const text = await explained(installation, 'top');

    expect(text.match(/^ {2}\w+, \d+ \w+ \d{4} at /gm)).toHaveLength(5);
    expect(text).toContain('Fuse: 1 of at most 30 announcements in 1h.');
    expect(text).toMatch(/Cooldown of 6h per item: ada for (4h 59m|5h) cannot be announced again yet\./);
    expect(text).toMatch(
      /Quiet hours from 23:00 to 08:00 \(Europe\/Paris\), (now, for another .*|not now): changes are decided when they end\./,
    );
    expect(text).toContain(
      'Watches streaming.getGameStreams through twitch: 0.2 requests a minute, shared with games/Chess when they are due together.',
    );
    expect(text).toContain('Its polls take 12 requests an hour through twitch. All rules together need up to 132 of 38,400 for polls.');
    expect(text).toContain('The rule polls every 5m, as its key every says.\nA change is announced after 5m at the latest.');
    expect(text).toContain('No open episodes.');
  });

  test('shows the calendar, and the next run that it leaves out', async () => {
    const when =
      'cron: "0 9 * * *", timezone: Asia/Tokyo, weeks: { every: 2, from: 2026-01-05 }, except: { dates: [12-25, 12-26], then: next }';
    const step = '{ do: discord.send, with: { channel: live, content: hi } }';
    using installation = await install({ 'plan.yaml': `id: plan\nwhen: { ${when} }\nthen: [${step}]\n` });

    const text = await explained(installation, 'plan');

    expect(text).toContain('at 0 9 * * * (Asia/Tokyo), every 2 weeks from 2026-01-05, except 12-25, 12-26 (then on the next day)');
    expect(text).toMatch(
      /The rule does not run at \d{4}-\d{2}-\d{2} 09:00 \(Asia\/Tokyo\).*: (weeks does not have this week|except has this day)\./,
    );
  });

  test('counts the requests for the streamers that servers follow, each once', async () => {
    using installation = await install({});
    const names = (kind: string, count: number): readonly string[] => Array.from({ length: count }, (_, n) => `${kind}${n}`);
    await installation.keep(async ({ lists, servers }) => {
      for (const server of ['1', '2']) {
        await servers.join({ id: server, name: server, joinedAt: new Date() });
        const twitch = names('ada', 120).map((name) => [name, { twitch: name, channel: '7' }] as const);
        const kick = names('grace', 60).map((name) => [name, { kick: name, channel: '7' }] as const);
        await lists.edit({ list: 'followed', server }, ADA, () => ({ after: Object.fromEntries([...twitch, ...kick]) }));
      }
    });

    const text = await explained(installation, 'followed');

    // Twitch answers for 100 names at once, and Kick for 50.
    expect(text).toContain('Watches streaming.getStreams through twitch and kick: 4 requests a minute, shared with no other rule.');
    expect(text).toContain('Its polls take 120 requests an hour through twitch. All rules together need up to 120 of 38,400 for polls.');
    expect(text).toContain('Its polls take 120 requests an hour through kick. All rules together need up to 120.');
  });

  test('counts the look-ups of the steps of a rule that watches nothing', async () => {
    const source = `id: twice
when: { every: 5m }
then:
  - { id: top, do: streaming.getTopStreams, with: { pages: 2 } }
  - { id: chess, do: streaming.getGameStreams, with: { game: Chess } }
  - { do: discord.send, with: { channel: live, content: hi } }
`;
    using installation = await install({ 'twice.yaml': source });

    const text = await explained(installation, 'twice');

    expect(text).not.toContain('needs no requests');
    expect(text).toContain(
      'Each firing also sends at least 3 requests to read data: streaming.getTopStreams through twitch, streaming.getGameStreams through twitch.',
    );
  });

  test('shows that the clock was ahead, and that the rule continued from now', async () => {
    using installation = await install({ 'top.yaml': RULE });
    const nowMs = Date.now();
    await installation.keep((store) =>
      store.ruleStates
        .commit({
          rule: 'top',
          slotMs: nowMs + 2 * 3_600_000,
          change: { memory: { firings: 0, firedMs: {} }, put: [], drop: [] },
          firings: [],
          withdrawals: [],
          decisions: [],
        })
        .then(() => undefined),
    );

    const before = await explained(installation, 'top');
    await installation.keep((store) => store.storedClock.continueFromNow().then(() => undefined));
    const after = await explained(installation, 'top');

    expect(before).toMatch(/The clock was ahead: the last slot lies (2h|1h 59m) in the future\. When Fanfare starts, the rule continues/);
    expect(after).toMatch(/The clock was set back by (2h|1h 59m): the rule continued from there \S+ ago and repeats no announcement\./);
  });

  test('shows one line for each instance, and all details for one instance', async () => {
    using installation = await install({ 'games.yaml': EACH });
    await installation.keep((store) => commit(store, 'games/Go', [{ atMs: 0, outcome: 'fired', message: 'ada entered' }]));

    const all = await explained(installation, 'games');
    const one = await explained(installation, 'games/Go');

    expect(all).toMatch(/^ {2}games\/Chess +on +follows 0 +no decisions yet$/m);
    expect(all).toMatch(/^ {2}games\/Go +on +follows 0 +fired .*: ada entered$/m);
    expect(one).toContain('Latest decision');
  });

  test('shows the running rule and the errors of its changed file', async () => {
    using installation = await install({ 'top.yaml': `${RULE}wenn: 3\n` });
    const file = join(installation.rules, 'top.yaml');
    await installation.keep((store) => store.ruleSources.change({ save: [{ file, source: RULE }], forget: [] }));

    const text = await explained(installation, 'top');

    expect(text).toContain(`${file}:8:1 unknown key: wenn`);
    expect(text).toContain('The file has errors. Fanfare runs its last version without errors.');
    expect(text).toContain('Runs every 5m.');
  });
});

test('explain shows the time of a rule that runs once in the zone of the rule', async () => {
  const once =
    'id: once\nwhen: { at: "2099-12-24 18:00", timezone: Europe/Paris }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n';
  using installation = await install({ 'once.yaml': once });

  const text = await explained(installation, 'once');

  expect(text).toContain('Runs once, at Thursday, 24 December 2099 at 18:00 (Europe/Paris). Next runs (Europe/Paris):');
});

test('explain shows no next runs for a rule that is off', async () => {
  using installation = await install({ 'top.yaml': `${RULE}enabled: false\n` });

  const text = await explained(installation, 'top');

  expect(text).toContain('Off (enabled: false). When it is on, it runs every 5m.');
  expect(text).not.toMatch(/ at \d\d:\d\d:\d\d/);
});

test('explain shows why steps were skipped and until when they wait', async () => {
  const steps = `id: slots
when: { cron: "0 9 * * *", timezone: Europe/Paris }
then:
  - wait: 1h
  - { do: discord.send, with: { channel: live, content: hi } }
  - { id: never, if: "1 > 2", do: discord.send, with: { channel: live, content: hi } }
`;
  using installation = await install({ 'slots.yaml': steps });
  const { rules } = await openRules(installation.environment).load([]);
  await installation.keep(async (store) => {
    const [rule] = rules;
    if (!rule) throw new Error('the rule cannot run');
    const slotMs = Date.parse('2026-11-20T08:00:00Z');
    await store.ruleStates.commit({ rule: rule.id, slotMs, ...advance({ rule, state: NEW_STATE, slotMs }) });
    const [skipped] = (await store.deliveryLog.list({ rule: rule.id })).items.filter(({ step }) => step === 'never');
    if (skipped) await store.deliveries.change(skipped, { state: 'skipped', message: 'if: 1 > 2 is false' });
  });

  const text = await explained(installation, 'slots');

  expect(text).toMatch(/pending {2}step 2: discord\.send through discord: until Fri, 20 Nov 2026, 10:00:00 or later$/m);
  expect(text).toContain('skipped  never: discord.send through discord: if: 1 > 2 is false');
});

test('explain shows that a step waits for the answer to a question', async () => {
  const steps = `id: ask
when: { cron: "0 9 * * *" }
then:
  - { id: verdict, do: discord.ask, answerWithin: 1h, with: { channel: moderators, content: hi, choices: [send, drop] } }
  - { if: steps.verdict.choice == "send", do: discord.send, with: { channel: live, content: hi } }
`;
  using installation = await install({ 'ask.yaml': steps });
  const { rules } = await openRules(installation.environment).load([]);
  await installation.keep(async (store) => {
    const [rule] = rules;
    if (!rule) throw new Error('the rule cannot run');
    const slotMs = Date.now();
    await store.ruleStates.commit({ rule: rule.id, slotMs, ...advance({ rule, state: NEW_STATE, slotMs }) });
    const [question] = (await store.deliveryLog.list({ rule: rule.id })).items.filter(({ step }) => step === 'verdict');
    if (question) await store.deliveries.change(question, { state: 'asked', since: new Date(slotMs) });
  });

  const text = await explained(installation, 'ask');

  expect(text).toContain('pending  step 2: discord.send through discord: waits for earlier deliveries\n');
  expect(text).toMatch(/asked {4}verdict: discord\.ask through discord\n/);
});

describe('resume', () => {
  test('resumes a rule that was paused automatically', async () => {
    using installation = await install({ 'top.yaml': RULE });
    await installation.keep((store) => commit(store, 'top', [], { blownMs: Date.now() - 60_000 }));
    const { out, text } = collectLines();

    const paused = await explained(installation, 'top');
    const codes = [];
    for (const rule of ['top', 'top', 'none']) codes.push(await exitCodeOf(resume({ ...parts(installation), rule, out }), out));

    expect(paused).toMatch(
      /^Paused automatically \d+m( \d+s)? ago: more than 30 announcements in an hour\. .* To resume: npx fanfare resume top$/m,
    );
    expect(codes).toEqual([0, 0, 1]);
    expect(text().split('\n')).toEqual([
      'top is resumed. Announcements from the pause are not sent later.',
      'top is not paused.',
      'error: there is no rule none',
      '  Rules: top',
    ]);
    expect(await explained(installation, 'top')).toContain('Fuse: 0 of');
  });

  test('resumes all instances of a rule', async () => {
    using installation = await install({ 'games.yaml': EACH });
    await installation.keep((store) => commit(store, 'games/Go', [], { blownMs: Date.now() }));

    expect((await parts(installation).actions.resumeRule({ rule: 'games' }, ADA))?.changed).toEqual(['games/Go']);
  });
});

describe('pause', () => {
  test('stops a rule until resume, and explain shows who paused it', async () => {
    using installation = await install({ 'top.yaml': RULE });
    const { out, text } = collectLines();
    const shared = { ...parts(installation), timezone: 'UTC', out };

    const codes = [];
    for (const rule of ['top', 'top', 'none']) codes.push(await exitCodeOf(pause({ ...shared, rule }), out));
    const paused = await explained(installation, 'top');
    await resume({ ...shared, rule: 'top' });

    expect(codes).toEqual([0, 0, 1]);
    expect(paused).toMatch(/^Paused by ada \(command line\) \d+(ms|s) ago\. .* To resume: npx fanfare resume top$/m);
    expect(text().split('\n')).toEqual([
      'top is paused. To resume it: fanfare resume top',
      'top is already paused.',
      'error: there is no rule none',
      '  Rules: top',
      'top is resumed. Announcements from the pause are not sent later.',
    ]);
    expect(await explained(installation, 'top')).not.toContain('Paused');
  });

  test('pauses all instances of a rule', async () => {
    using installation = await install({ 'games.yaml': EACH });

    expect((await parts(installation).actions.pauseRule({ rule: 'games' }, ADA))?.changed).toEqual(['games/Chess', 'games/Go']);
  });

  test('has an end, after which the rule runs again', async () => {
    using installation = await install({ 'top.yaml': RULE });
    const { out, text } = collectLines();
    const shared = { ...parts(installation), timezone: 'UTC', rule: 'top', out };

    await pause({ ...shared, until: new Date('2126-12-24T18:00:00Z') });
    const paused = await explained(installation, 'top');
    await installation.keep(
      async (store) => void (await store.ruleStates.changePauses(['top'], { pause: { by: 'ada', untilMs: Date.now() - 1 } })),
    );

    expect(text()).toMatch(/^top is paused until .* 18:00:00 \(UTC\)\. To resume it: fanfare resume top$/mu);
    expect(paused).toMatch(/^Paused by ada \(command line\) .* ago, for another [\d,]+d/mu);
    expect(await explained(installation, 'top')).not.toContain('Paused');
  });
});

test('a pause can be planned, and cancelled before it begins', async () => {
  using installation = await install({ 'top.yaml': RULE });
  const { out, text } = collectLines();
  const shared = { ...parts(installation), timezone: 'UTC', rule: 'top', out };
  const [from, until] = [new Date('2126-12-24T18:00:00Z'), new Date('2126-12-27T09:00:00Z')];

  await pause({ ...shared, from, until });
  const planned = await explained(installation, 'top');
  await pause({ ...shared, from, until });
  await resume(shared);
  await resume({ ...shared, planned: true });
  await resume({ ...shared, planned: true });

  expect(text().split('\n')).toEqual([
    expect.stringMatching(
      /^top will be paused from .* 18:00:00 until .* 09:00:00 \(UTC\)\. To cancel the planned pauses: fanfare resume top --planned$/u,
    ),
    'top has this planned pause already.',
    'top is not paused.',
    'top has no planned pause now.',
    'top has no planned pause.',
  ]);
  expect(planned).toMatch(
    /^ada \(command line\) planned a pause from 2126-12-24 19:00 \(Europe\/Paris\) to 2126-12-27 10:00 \(Europe\/Paris\)/mu,
  );
  expect(await explained(installation, 'top')).not.toContain('planned');
});

test('check shows the changes since the last run', async () => {
  using installation = await install({ 'games.yaml': EACH });
  const sources = [
    { file: join(installation.rules, 'games.yaml'), source: EACH.replace('take: 3', 'take: 4') },
    { file: join(installation.rules, 'top.yaml'), source: RULE },
  ];
  await installation.keep((store) => store.ruleSources.change({ save: sources, forget: [] }));
  const { out, text } = collectLines();

  await check({
    rules: openRules(installation.environment),
    paths: [],
    changes: () => openExplainer(installation.environment).changes(),
    out,
  });

  expect(text().split('\n').slice(-3)).toEqual(['Changes since the last run:', '~ games: when.take 4 → 3', '- top']);
});

test('explain says that a pause withdrew messages of a decision that fired', async () => {
  using installation = await install({ 'top.yaml': RULE });
  await installation.keep(async (store) => {
    for (const rule of ['top', 'old']) {
      const fired = firing([creating(['x'])], { rule, id: `firing of ${rule}` });
      const decision = { rule, atMs: 1000, outcome: 'fired', item: 'ada', message: 'ada entered', details: { firing: fired.id } } as const;
      await store.ruleStates.commit(committing([fired], { rule, decisions: [decision] }));
      await store.ruleStates.changePauses([rule], { pause: { by: 'grace' } });
    }
  });
  const { out, text: ofItem } = collectLines();
  await explainItem('ada', { explainer: openExplainer(installation.environment), out });

  const texts = [await explained(installation, 'top'), await explained(installation, 'old')];

  for (const text of [...texts, ofItem()])
    expect(text).toContain('fired       ada entered; messages were withdrawn: grace paused the rule');
  expect(ofItem().match(/grace paused the rule/gu)).toHaveLength(2);
});

describe('explain --item', () => {
  const LIVE = `id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
`;

  async function explainedItem(installation: Installation, name: string): Promise<string> {
    const { out, text } = collectLines();
    await explainItem(name, { explainer: openExplainer(installation.environment), out });
    return text();
  }

  test('shows the decisions of each rule about the item, in any letter case', async () => {
    using installation = await install({ 'top.yaml': RULE, 'live.yaml': LIVE });
    await installation.keep((store) =>
      commit(store, 'top', [{ atMs: 1000, outcome: 'suppressed', item: 'ada', message: 'if: item.viewerCount >= 1000: 740 < 1000' }]),
    );

    const text = await explainedItem(installation, 'Ada');

    expect(text).toContain('live watches streaming.getStreams and names Ada.\n  There is no stored decision about Ada. ');
    expect(text).toMatch(
      /top watches streaming\.getGameStreams and has seen Ada\.\n.* suppressed {2}if: item\.viewerCount >= 1000: 740 < 1000/,
    );
    expect(text).not.toContain('No rule watches');
  });

  describe('in the last poll', () => {
    const item = (login: string, viewerCount: number) => ({
      key: login,
      id: `s-${login}`,
      viewerCount,
      owner: { id: login, login, displayName: login },
    });
    const FILTERED = `id: chess
when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }, where: item.viewerCount < 100, take: 2 }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
`;

    /** Stores a poll and its decisions, as Fanfare does. */
    async function poll(installation: Installation, items: readonly JsonObject[]): Promise<void> {
      const [rule] = (await openRules(installation.environment).load([])).rules;
      if (!rule?.watched) throw new Error('the rule cannot run');
      const { verb, with: params } = rule.watched;
      const slotMs = Date.now();
      await installation.keep(async (store) => {
        const query = mergeKey({ verb, account: 'twitch', params });
        await store.recordedPolls.record(query, { slotMs, params, answer: { items, approximate: false, partialErrors: [] } });
        const state = await store.ruleStates.load(rule.id);
        await store.ruleStates.commit({ rule: rule.id, slotMs, ...advance({ rule, state, poll: { items, complete: true }, slotMs }) });
      });
    }

    const LIST = ['ada', 'bob', 'eve'].map((login) => item(login, 500)).concat(['zoe', 'max', 'kim', 'lin'].map((login) => item(login, 5)));

    test('shows that where excludes an item, although the decision of the poll does not name it', async () => {
      using installation = await install({ 'chess.yaml': FILTERED });
      await poll(installation, LIST);

      const text = await explainedItem(installation, 'Bob');

      expect(text).toMatch(/^chess watches streaming\.getGameStreams and has seen Bob\.\n/);
      expect(text).toMatch(/unchanged {3}1 item does not fit where: bob: item\.viewerCount < 100 is false: item\.viewerCount is 500/);
    });

    test('shows that take excludes an item', async () => {
      using installation = await install({ 'chess.yaml': FILTERED });
      await poll(installation, LIST);

      expect(await explainedItem(installation, 'lin')).toMatch(/not announced: #7 of the list, and the rule counts the first 2 \(take\)/);
    });

    test('shows the first poll of the rule for an item that it contains', async () => {
      using installation = await install({ 'chess.yaml': FILTERED });
      await poll(installation, LIST);

      expect(await explainedItem(installation, 'zoe')).toMatch(
        /an episode is open\.\n.* suppressed {2}the first poll: 2 items already in the list/,
      );
    });

    test('shows nothing about items that are not in it', async () => {
      using installation = await install({ 'chess.yaml': FILTERED });
      await poll(installation, LIST);

      expect(await explainedItem(installation, 'nobody')).toContain('No rule watches nobody');
      expect(await explainedItem(installation, '@nobody')).toContain('fanfare new --kind live --channels nobody');
      // No rule can watch a title or a display name.
      expect(await explainedItem(installation, 'No Body')).not.toContain('fanfare new');
    });
  });

  test('reads the lists that where and with name', async () => {
    const source = `id: new
when: { every: 1m, watch: streaming.getStreams, with: { users: "\${{ lists.team.map(p, p.id) }}" }, where: "lists.team[?item.owner.handle].isNew.orValue(false)" }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;
    using installation = await install({ 'new.yaml': source });
    const lists = join(installation.rules, '..', 'lists');
    await mkdir(lists);
    await writeFile(join(lists, 'team.yaml'), 'ada: { isNew: true }\ngrace: { isNew: false }\n');
    const params = { users: ['ada', 'grace'] };
    const stream = (handle: string) => ({ id: `s-${handle}`, owner: { id: `id-${handle}`, handle, displayName: handle } });
    await installation.keep(async (store) => {
      await store.recordedPolls.record(mergeKey({ verb: 'streaming.getStreams', account: 'twitch', params }), {
        slotMs: Date.now(),
        params,
        answer: { items: ['ada', 'grace'].map(stream), approximate: false, partialErrors: [] },
      });
      await commit(store, 'new', []);
    });

    expect(await explainedItem(installation, 'ada')).toContain('names ada.\n  There is no stored decision about ada. ');
    expect(await explainedItem(installation, 'grace')).toMatch(/1 item does not fit where: grace: lists\.team\S* is false/u);
  });

  describe('of a rule with people', () => {
    const TEAM = `id: team
when: { every: 1m, people: team, where: item.viewerCount >= 100 }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.person.id }}" } }
`;
    const stream = (handle: string) => ({ id: `s-${handle}`, viewerCount: 5, owner: { id: `id-${handle}`, handle, displayName: handle } });

    /** Stores a poll of the list, in which one name was refused. */
    async function withPoll(): Promise<Installation> {
      const installation = await install({ 'team.yaml': TEAM });
      const lists = join(installation.rules, '..', 'lists');
      await mkdir(lists);
      await writeFile(join(lists, 'team.yaml'), 'ada: {}\ngrace: { twitch: grace_tv }\nlinus: {}\n');
      const params = { users: ['ada', 'grace_tv', 'linus'] };
      await installation.keep(async (store) => {
        const slotMs = Date.now();
        await store.recordedPolls.record(mergeKey({ verb: 'streaming.getStreams', account: 'twitch', params }), {
          slotMs,
          params,
          answer: {
            items: [stream('ada')],
            approximate: false,
            partialErrors: [{ message: 'no such name', fault: 'rejected', values: ['grace_tv'] }],
          },
        });
        await commit(store, 'team', []);
      });
      return installation;
    }

    test.for([
      ['ada', /1 item does not fit where: ada: item\.viewerCount >= 100 is false/],
      ['Grace', /unchanged {3}not read: grace_tv through twitch \(rejected: no such name\)/],
      ['grace_tv', /unchanged {3}not read: grace_tv through twitch/],
      ['linus', /no stored decision about linus/],
    ] as const)('shows what its last poll has about %s', async ([name, expected]) => {
      using installation = await withPoll();

      const text = await explainedItem(installation, name);

      expect(text).toContain(`team watches streaming.getStreams and names ${name}.`);
      expect(text).toMatch(expected);
    });
  });

  test('names the rules with similar lists and the missing part of a rule if no rule watches the item', async () => {
    using installation = await install({ 'top.yaml': RULE });
    await installation.keep(async (store) => {
      await store.ruleStates.changePauses(['top'], { pause: { by: 'ben' } });
    });

    const text = await explainedItem(installation, 'grace');

    expect(text).toContain('No rule watches grace: no rule names it, and no rule has seen it.');
    expect(text).toContain(
      'These rules watch lists in which grace was not found. If where or take left it out, only the last poll shows it:\n  top: streaming.getGameStreams (paused)',
    );
    expect(text).toContain('with: { users: [grace] }');
    expect(text).toContain('fanfare new --kind live --channels grace');
  });
});

describe('a removed rule', () => {
  const DECISION = {
    atMs: 1000,
    outcome: 'suppressed',
    item: '4711',
    message: 'Dennis is live, not announced: paused',
    reason: { kind: 'removedFromEach', name: 'Dennis', seenMs: 1 },
  } as const;

  async function withGone({ isRetired }: { readonly isRetired: boolean }): Promise<Installation> {
    const installation = await install({ 'top.yaml': RULE });
    await installation.keep(async (store) => {
      await commit(store, 'old', [DECISION]);
      await commit(store, 'games/Chess', [{ ...DECISION, message: 'Chess has Dennis' }]);
      const sent = firing([creating(['x'])], { rule: 'old' });
      await store.ruleStates.commit(committing([sent], { rule: 'old', slotMs: Date.now() + 1 }));
      await settle(store, keysOf(sent)[0], { state: 'sent' }, { params: { text: 'Dennis is live' } });
      if (isRetired) await store.ruleStates.retire('old');
    });
    return installation;
  }

  test('shows the time of its removal, its decisions and its deliveries', async () => {
    using installation = await withGone({ isRetired: true });

    const text = await explained(installation, 'old');

    expect(text).toMatch(/^old\nThis rule was deleted or renamed; Fanfare removed it .+\. It last ran .+\.\n/u);
    expect(text).toMatch(/sent {5}step 1: social\.createPost through x: "Dennis is live"/u);
    expect(text).toMatch(/suppressed {2}Dennis is live, not announced: paused/u);
  });

  test('that was removed while Fanfare did not run has no time, and is perhaps in a file with errors', async () => {
    using installation = await withGone({ isRetired: false });
    await writeFile(join(installation.rules, 'broken.yaml'), 'id: [');

    const text = await explained(installation, 'old');

    expect(text).toContain('This rule is no longer in the rules folder. It last ran ');
    expect(text).toMatch(/It may be in a file with errors: .*broken\.yaml\./u);
  });

  test('with several instances shows each of them', async () => {
    using installation = await withGone({ isRetired: true });

    expect(await explained(installation, 'games')).toContain('Chess has Dennis');
  });

  test('is among the rules that have seen an item, by its name', async () => {
    using installation = await withGone({ isRetired: true });
    const { out, text } = collectLines();

    await explainItem('dennis', { explainer: openExplainer(installation.environment), out });

    expect(text()).toMatch(
      /old has seen dennis\. This rule was deleted or renamed; .*\n.*suppressed {2}Dennis is live, not announced: paused/u,
    );
    expect(text()).not.toContain('No rule watches');
  });
});
