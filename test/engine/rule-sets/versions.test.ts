import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configOfEnvironment } from '#src/config/config.ts';
import { openFolderPublisher } from '#src/app/open-rule-publisher.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { createLog } from '#src/log.ts';
import { publishApproved } from '#src/engine/rule-sets/approve-rule.ts';
import { followVersions } from '#src/engine/rule-sets/follow-versions.ts';
import type { PublicationResult, RuleVersions } from '#src/engine/rule-sets/rule-versions.ts';
import type { PostgresStore } from '#src/store/postgres/open.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openEmptyStore } from '../../support/postgres-stores.ts';
import { cardRule, deliveries, openStage, stream, type Stage } from './fixture.ts';

type Texts = Readonly<Record<string, string>>;

async function publish(versions: RuleVersions, texts: Texts, by = 'ada'): Promise<PublicationResult> {
  const files = Object.entries(texts).map(([file, source]) => ({ file, source }));
  return versions.publish({ files, by, after: (await versions.inForce())?.number ?? 0 });
}

const ids = ({ registry }: Stage): readonly string[] => registry.running.map(({ id }) => id);

/** The texts of the deliveries. */
async function contents(store: PostgresStore): Promise<readonly unknown[]> {
  const { items } = await store.deliveryLog.list({ limit: 100 });
  return Promise.all(items.toReversed().map(async (one) => (await store.deliveries.prepare(one))?.due.step.with['content']));
}

describe('the rules of several workers', () => {
  test('are the version in force', async () => {
    const clock = new ManualClock();
    await using store = await openEmptyStore({ clock });
    await publish(store.ruleVersions, { 'live.yaml': cardRule('live') });
    await using stage = await openStage({ 'folder.yaml': cardRule('folder') }, { store, clock });

    expect(ids(stage)).toEqual(['live']);
    expect(stage.registry.version).toMatchObject({ number: 1, by: 'ada' });
    expect(await stage.reloads.reload()).toBe(false);

    await publish(store.ruleVersions, { 'live.yaml': cardRule('live'), 'games/more.yaml': cardRule('more') }, 'grace');
    expect(await stage.reloads.reload()).toBe(true);

    expect(ids(stage)).toEqual(['more', 'live']);
    expect(stage.lines).toEqual(['info  + more rule=more']);
    expect(stage.registry.version).toMatchObject({ number: 2, by: 'grace' });
  });

  test('switch together: after the publication, no slot of an old version commits', async () => {
    const clock = new ManualClock();
    await using store = await openEmptyStore({ clock });
    const old = { 'live.yaml': cardRule('live'), 'other.yaml': cardRule('other') };
    await publish(store.ruleVersions, old);
    await using slow = await openStage({}, { store, clock });
    await using fast = await openStage({}, { store, clock });
    slow.live = [stream('ada')];
    fast.live = [stream('ada')];

    // The slow worker has polled for a slot when the version is published.
    const release = slow.hold();
    const running = slow.scheduler.tick();
    await publish(store.ruleVersions, { ...old, 'live.yaml': cardRule('live', { text: 'plays' }) });
    release();
    await running;
    const committed = [(await store.ruleStates.load('live')).slotMs, (await store.ruleStates.load('other')).slotMs];
    await fast.reloads.reload();
    await fast.pass(1);
    await slow.reloads.reload();
    await slow.pass(12);

    expect(committed).toEqual([undefined, Date.parse('2026-11-20T18:00:00Z')]);
    expect(slow.scheduler.stuck()).toEqual([]);
    expect((await deliveries(store)).toSorted()).toEqual(['live discord.send pending', 'other discord.send pending']);
    expect((await contents(store)).join()).toContain('plays');
  });

  test('a slot that was refused runs with the new version', async () => {
    const clock = new ManualClock();
    await using store = await openEmptyStore({ clock });
    const daily = (text: string): string =>
      `id: daily\nwhen: { cron: "0 18 * * *" }\nthen:\n  - do: discord.send\n    with: { channel: live, content: ${text} }\n`;
    clock.set('2026-11-20T17:59:59Z');
    await publish(store.ruleVersions, { 'daily.yaml': daily('old') });
    await using stage = await openStage({}, { store, clock });
    await clock.advance(1000);

    // The version is published before the slot commits, and this worker does not know of it yet.
    await publish(store.ruleVersions, { 'daily.yaml': daily('new') });
    await stage.scheduler.tick();
    expect(await deliveries(store)).toEqual([]);
    await stage.reloads.reload();
    await stage.pass(2);

    expect(await contents(store)).toEqual(['new']);
  });

  test('a deleted rule ends, even if it is deleted while no worker runs', async () => {
    const clock = new ManualClock();
    await using store = await openEmptyStore({ clock });
    await publish(store.ruleVersions, { 'live.yaml': cardRule('live'), 'other.yaml': cardRule('other') });
    await using stage = await openStage({}, { store, clock });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await publish(store.ruleVersions, { 'other.yaml': cardRule('other') });
    await using later = await stage.restart();

    expect(later.lines).toEqual(['info  - live (still open: 1; their messages stay) rule=live']);
    expect((await deliveries(store)).toSorted()).toEqual(['live discord.send withdrawn', 'other discord.send pending']);
  });

  test('a published rule that is invalid on one worker does not run there, and the others do', async () => {
    const clock = new ManualClock();
    await using store = await openEmptyStore({ clock });
    await publish(store.ruleVersions, { 'live.yaml': cardRule('live'), 'other.yaml': cardRule('other') });
    await using stage = await openStage({}, { store, clock });
    const elsewhere = cardRule('live').replace('do: discord.send', 'as: discord_of_other_worker\n    do: discord.send');
    await publish(store.ruleVersions, { 'live.yaml': elsewhere, 'other.yaml': cardRule('other') });
    await stage.reloads.reload();
    await stage.reloads.settled();

    expect(ids(stage)).toEqual(['other']);
    expect(stage.lines.filter((line) => line.startsWith('warn')).join()).toMatch(/live\.yaml:.*the rule does not run/u);
  });

  test('follow a notification, and without one the version is read every ten seconds', async () => {
    const clock = new ManualClock();
    await using store = await openEmptyStore({ clock });
    await using stage = await openStage({}, { store, clock });
    const stop = new AbortController();
    let notify = (): void => undefined;
    const reloaded: ((isOther: boolean | undefined) => void)[] = [];
    const next = (): Promise<boolean | undefined> => new Promise((resolve) => reloaded.push(resolve));
    const first = next();
    const following = followVersions({
      registry: stage.registry,
      async reload() {
        const isOther = await stage.reloads.reload();
        reloaded.shift()?.(isOther);
        return isOther;
      },
      subscribe(listener) {
        notify = listener;
        return () => (notify = () => undefined);
      },
      clock,
      log: createLog({ level: 'info', secrets: [], write: (line) => stage.lines.push(line.trim()), color: false }),
      signal: stop.signal,
    });
    expect(await first).toBe(false);

    await publish(store.ruleVersions, { 'live.yaml': cardRule('live') });
    const second = next();
    notify();
    expect(await second).toBe(true);
    await publish(store.ruleVersions, { 'more.yaml': cardRule('more') });
    const third = next();
    await clock.advance(10_000);
    expect(await third).toBe(true);
    stop.abort();
    await following;

    expect(ids(stage)).toEqual(['more']);
    expect(stage.lines.filter((line) => line.includes('another version'))).toHaveLength(2);
  });
});

describe('the rules folder of a worker', () => {
  async function openFolder(store: PostgresStore, texts: Texts, by?: string) {
    const clock = new ManualClock();
    const stage = await openStage(texts, { store, clock });
    const config = configOfEnvironment({ FANFARE_RULES: stage.folder });
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line.trim().replace(/^\S+Z +/u, ''));
    const log = createLog({ level: 'info', secrets: [], write, color: false });
    const publisher = openFolderPublisher({ config, versions: store.ruleVersions, accounts: accountsOf(config), clock, log, by });
    return Object.assign(stage, { publisher, log: lines });
  }
  const version = async (store: PostgresStore) => {
    const inForce = await store.ruleVersions.inForce();
    return inForce && [inForce.number, inForce.by, (await store.ruleVersions.files(inForce.number))?.map(({ file }) => file)];
  };

  test('is published if nothing is published yet', async () => {
    await using store = await openEmptyStore();
    await using folder = await openFolder(store, { 'live.yaml': cardRule('live') }, 'folder of a');
    await mkdir(join(folder.folder, 'games'));
    await folder.write('games/chess.yaml', cardRule('chess'));
    await Promise.all([folder.publisher.publishFirst(), folder.publisher.publishFirst()]);

    expect(await version(store)).toEqual([1, 'folder of a', ['games/chess.yaml', 'live.yaml']]);
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([1, 'folder of a', ['games/chess.yaml', 'live.yaml']]);
    expect(folder.log).toEqual(['info  the rules folder was published version=1']);
  });

  test('is published when a file changes, and not after a push from elsewhere', async () => {
    await using store = await openEmptyStore();
    await using folder = await openFolder(store, { 'live.yaml': cardRule('live') }, 'folder of a');
    await folder.publisher.publishFirst();
    await folder.publisher.publishChange();
    await publish(store.ruleVersions, { 'pushed.yaml': cardRule('pushed') }, 'ci');
    await folder.publisher.publishChange();
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([2, 'ci', ['pushed.yaml']]);
    expect(folder.log.filter((line) => line.includes('the rules folder differs'))).toHaveLength(1);

    await folder.write('more.yaml', cardRule('more'));
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([3, 'folder of a', ['live.yaml', 'more.yaml']]);
  });

  test('that differs at the start is logged once, unless it was published last', async () => {
    await using store = await openEmptyStore();
    await publish(store.ruleVersions, { 'pushed.yaml': cardRule('pushed') }, 'ci');
    await using folder = await openFolder(store, { 'live.yaml': cardRule('live') }, 'folder of a');
    await folder.publisher.publishChange();
    await folder.publisher.publishChange();
    expect(folder.log).toEqual([expect.stringMatching(/^warn +the rules folder differs .* version=1 by=ci$/u)]);
    expect(await version(store)).toEqual([1, 'ci', ['pushed.yaml']]);

    await folder.write('live.yaml', cardRule('live', { text: 'plays' }));
    await folder.publisher.publishChange();
    // The next process of this machine, after an edit while none ran.
    await folder.write('more.yaml', cardRule('more'));
    folder.publisher.restart();
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([3, 'folder of a', ['live.yaml', 'more.yaml']]);

    // An edit while none ran does not replace a later push from elsewhere.
    await publish(store.ruleVersions, { 'pushed.yaml': cardRule('pushed') }, 'ci');
    await folder.write('third.yaml', cardRule('third'));
    folder.publisher.restart();
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([4, 'ci', ['pushed.yaml']]);
  });

  test('with errors is logged once and not published', async () => {
    await using store = await openEmptyStore();
    await using folder = await openFolder(store, { 'live.yaml': cardRule('live') }, 'folder of a');
    await folder.publisher.publishFirst();
    await folder.publisher.publishChange();
    await folder.write('more.yaml', 'id: more\nwenn: now\n');
    await folder.publisher.publishChange();
    await folder.publisher.publishChange();

    expect(await version(store)).toEqual([1, 'folder of a', ['live.yaml']]);
    expect(folder.log.filter((line) => line.includes('it is not published'))).toHaveLength(1);
    expect(folder.log.join('\n')).toMatch(/warn +a rule file has errors problem=.*more\.yaml:1:1/u);

    await folder.write('more.yaml', cardRule('more'));
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([2, 'folder of a', ['live.yaml', 'more.yaml']]);
  });

  test('that lost all its files does not delete the rules', async () => {
    await using store = await openEmptyStore();
    await using folder = await openFolder(store, { 'live.yaml': cardRule('live') }, 'folder of a');
    await folder.publisher.publishFirst();
    await folder.publisher.publishChange();
    await folder.remove('live.yaml');
    await folder.publisher.publishChange();

    expect(await version(store)).toEqual([1, 'folder of a', ['live.yaml']]);
    expect(folder.log.at(-1)).toContain('the rules folder is empty');
  });

  /** Publishes as an approval in Discord. */
  async function approve(store: PostgresStore, rule: string, more: Texts = {}) {
    const { ruleVersions: versions } = store;
    const options = { versions, accounts: {}, isOn: () => false, nowMs: () => 0 };
    return publishApproved({ rule, source: cardRule(rule), tests: more['tests'], by: 'Grace' }, options);
  }

  test('keeps approved rules until it has them', async () => {
    await using store = await openEmptyStore();
    await using folder = await openFolder(store, { 'live.yaml': cardRule('live') }, 'folder of a');
    await folder.publisher.publishFirst();
    await folder.publisher.publishChange();
    await approve(store, 'raid', { tests: 'rule: raid\n' });
    await folder.publisher.publishChange();
    expect(folder.log.slice(1)).toEqual([]);

    await folder.write('more.yaml', cardRule('more'));
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([3, 'folder of a', ['live.yaml', 'more.yaml', 'raid.test.yaml', 'raid.yaml']]);

    // A copy in the folder with the same text is no new version, but it belongs to the folder from then on.
    await folder.write('raid.yaml', cardRule('raid'));
    await folder.write('raid.test.yaml', 'rule: raid\n');
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([3, 'folder of a', ['live.yaml', 'more.yaml', 'raid.test.yaml', 'raid.yaml']]);
    expect(await store.ruleVersions.approved(3)).toEqual([]);
    await folder.remove('raid.yaml');
    await folder.remove('raid.test.yaml');
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([4, 'folder of a', ['live.yaml', 'more.yaml']]);
  });

  test('replaces an approved rule by its file with the same rule', async () => {
    await using store = await openEmptyStore();
    await using folder = await openFolder(store, { 'live.yaml': cardRule('live') }, 'folder of a');
    await folder.publisher.publishFirst();
    await folder.publisher.publishChange();
    await approve(store, 'raid', { tests: 'rule: raid\n' });
    await mkdir(join(folder.folder, 'games'));
    await folder.write('games/raid.yaml', cardRule('raid', { text: 'raids' }));
    await folder.publisher.publishChange();

    expect(await version(store)).toEqual([3, 'folder of a', ['games/raid.yaml', 'live.yaml']]);
  });

  test('is published after an approval at the same time, and after one while no process ran', async () => {
    await using store = await openEmptyStore();
    const { ruleVersions } = store;
    let isRacing = false;
    const racing: RuleVersions = {
      ...ruleVersions,
      async publish(publication) {
        if (isRacing) await approve(store, 'raid');
        isRacing = false;
        return ruleVersions.publish(publication);
      },
    };
    await using folder = await openFolder({ ...store, ruleVersions: racing }, { 'live.yaml': cardRule('live') }, 'folder of a');
    await folder.publisher.publishFirst();
    await folder.publisher.publishChange();
    await folder.write('more.yaml', cardRule('more'));
    isRacing = true;
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([3, 'folder of a', ['live.yaml', 'more.yaml', 'raid.yaml']]);

    await approve(store, 'games');
    await folder.remove('more.yaml');
    folder.publisher.restart();
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([5, 'folder of a', ['games.yaml', 'live.yaml', 'raid.yaml']]);
    expect(folder.log.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  test('does not replace a push that an approval followed at the same time', async () => {
    await using store = await openEmptyStore();
    const { ruleVersions } = store;
    const racing: RuleVersions = {
      ...ruleVersions,
      async publish(publication) {
        await publish(ruleVersions, { 'pushed.yaml': cardRule('pushed') }, 'ci');
        await approve(store, 'raid');
        return ruleVersions.publish(publication);
      },
    };
    await using folder = await openFolder(store, { 'live.yaml': cardRule('live') }, 'folder of a');
    await folder.publisher.publishFirst();
    await using later = await openFolder(
      { ...store, ruleVersions: racing },
      { 'live.yaml': cardRule('live', { text: 'plays' }) },
      'folder of a',
    );
    await later.publisher.publishChange();

    expect(await version(store)).toEqual([3, 'Grace', ['pushed.yaml', 'raid.yaml']]);
    expect(later.log).toEqual([expect.stringContaining('the rules folder differs')]);
  });

  test('is published with the tests beside its rules', async () => {
    await using store = await openEmptyStore();
    await using folder = await openFolder(
      store,
      { 'live.yaml': cardRule('live'), 'live.test.yaml': 'rule: live\n', 'gone.test.yaml': 'rule: gone\n' },
      'folder of a',
    );
    await folder.publisher.publishFirst();
    await folder.publisher.publishChange();
    expect(await version(store)).toEqual([1, 'folder of a', ['live.test.yaml', 'live.yaml']]);
    expect(await store.ruleVersions.text(1, 'live.test.yaml')).toBe('rule: live\n');
    await using stage = await openStage({}, { store });
    expect(ids(stage)).toEqual(['live']);

    await folder.write('live.test.yaml', 'rule: live # 2\n');
    await folder.publisher.publishChange();
    expect(await store.ruleVersions.text(2, 'live.test.yaml')).toBe('rule: live # 2\n');
    expect(await stage.reloads.reload()).toBe(false);
    expect(stage.registry.version).toMatchObject({ number: 2 });

    await folder.write('live.test.yaml', 'rule: live \0\n');
    await folder.publisher.publishChange();
    expect(await store.ruleVersions.inForce()).toMatchObject({ number: 2 });
    expect(folder.log.join('\n')).toMatch(/live\.test\.yaml.*the file cannot be read/u);
  });
});
