import { mkdir, rename, rmdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createReloads } from '#src/engine/rule-sets/reloads.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { cardRule, deliveries, openStage, sendAll, stream } from './fixture.ts';
import { nextMsOf } from '../../support/next-ms.ts';

const BROKEN = 'id: live\nwenn: now\n';

function hourlyRule(id: string, content: string, more = ''): string {
  return `id: ${id}\n${more}when: { every: 1h }\nthen:\n  - { do: discord.send, with: { channel: live, content: ${content} } }\n`;
}

describe('a reload', () => {
  test('without changes logs nothing and does nothing', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });

    expect(await stage.reloads.reload()).toBe(false);

    expect(stage.lines).toEqual([]);
    expect(stage.changes()).toBe(0);
  });

  test('loads a new rule and keeps the timers of other rules', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    await stage.pass(3);
    const before = await nextMsOf(stage.scheduler, 'live');

    await stage.write('more.yaml', cardRule('more', { channel: 'more' }));
    expect(await stage.reloads.reload()).toBe(true);
    await stage.reloads.settled();

    expect(stage.lines).toEqual(['info  + more rule=more']);
    expect(stage.registry.running.map(({ id }) => id)).toEqual(['live', 'more']);
    expect([before, await nextMsOf(stage.scheduler, 'live')]).toEqual([
      Date.parse('2026-11-20T18:00:10Z'),
      Date.parse('2026-11-20T18:00:10Z'),
    ]);
    expect(await nextMsOf(stage.scheduler, 'more')).toBe(stage.clock.nowMs());
  });

  test('logs the differences of a changed rule, which apply from its next slot on', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    await stage.pass(1);

    await stage.write('live.yaml', cardRule('live', { text: 'plays' }).replace('every: 10s', 'every: 5s'));
    await stage.reloads.reload();
    stage.live = [stream('ada')];
    await stage.pass(6);

    expect(stage.lines).toEqual(['info  ~ live: when.every 10s → 5s, content of then[0] rule=live']);
    const { items } = await stage.store.deliveryLog.list();
    const due = items[0] && (await stage.store.deliveries.prepare(items[0]));
    expect(due?.due.step.with['content']).toContain('plays');
  });

  test('with very many changes only names the rules', async () => {
    const names = Array.from({ length: 101 }, (_, number) => `r${number}`);
    await using stage = await openStage(Object.fromEntries(names.map((name) => [`${name}.yaml`, cardRule(name)])));

    for (const name of names) await stage.write(`${name}.yaml`, cardRule(name, { text: 'plays' }));
    await stage.reloads.reload();

    expect(stage.lines).toHaveLength(101);
    expect(stage.lines).toContain('info  ~ r7: edited rule=r7');
  });

  test('keeps the last valid version of a file with errors, and logs the errors and their end once', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });

    await stage.write('live.yaml', `${cardRule('live')}wenn: 3\n`);
    await stage.reloads.reload();
    await stage.reloads.reload();
    stage.live = [stream('ada')];
    await stage.pass(1);
    const whileBroken = [
      stage.registry.running.map(({ id }) => id),
      await deliveries(stage.store),
      [...stage.registry.now.asBefore].length,
    ];
    await stage.write('live.yaml', cardRule('live'));
    await stage.reloads.reload();

    expect(whileBroken).toEqual([['live'], ['live discord.send pending'], 1]);
    expect(stage.lines[0]).toMatch(/^warn +! live\.yaml:10:1 wenn: unknown key: wenn .*; the last valid version keeps running$/);
    expect(stage.lines.slice(1)).toEqual(['info  ~ live.yaml: the errors are fixed']);
  });

  test('withdraws the deliveries of a deleted rule and names its open cards', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await sendAll(stage.store, stage.clock);
    stage.live = [stream('ada'), stream('grace')];
    await stage.pass(10);

    await stage.remove('live.yaml');
    await stage.reloads.reload();
    await stage.reloads.settled();
    stage.live = [];
    await stage.pass(120);

    expect(await deliveries(stage.store)).toEqual(['live discord.send sent', 'live discord.send withdrawn']);
    expect(stage.lines).toEqual(['info  - live (1 open card: https://discord.com/live, unchanged) rule=live']);
  });

  test.for(['at once', 'after a poll', 'while Fanfare is stopped'] as const)(
    'continues the cards of a rule whose previous id is named %s',
    async (when) => {
      await using first = await openStage({ 'live.yaml': cardRule('live') });
      first.live = [stream('ada')];
      await first.pass(1);
      await sendAll(first.store, first.clock);
      first.live = [stream('ada'), stream('grace')];
      await first.pass(10);
      const renamed = cardRule('on-air', { more: 'was: live\n' });

      if (when === 'after a poll') {
        await first.write('live.yaml', cardRule('on-air').replace('first: fire', 'first: silent'));
        await first.reloads.reload();
        await first.reloads.settled();
        await first.pass(11);
      }
      await first.write('live.yaml', renamed);
      await using second = when === 'while Fanfare is stopped' ? await first.restart() : undefined;
      const stage = second ?? first;
      await stage.reloads.reload();
      await stage.reloads.settled();
      await stage.pass(30);
      stage.live = [];
      await stage.pass(120);

      expect(await deliveries(stage.store)).toEqual([
        'on-air discord.send sent',
        'on-air discord.send pending',
        'on-air discord.edit pending',
        'on-air discord.edit pending',
      ]);
      const hint = '- live (1 open card: https://discord.com/live, unchanged); if on-air is the same rule, add was: live to it';
      expect(stage.lines.filter((line) => / [-+~] /u.test(line)).map((line) => line.replace(/^\w+ +| rule=.*$/gu, ''))).toEqual(
        when === 'after a poll'
          ? [hint, '+ on-air', '~ on-air: when.first silent → fire, was live (new)']
          : ['~ on-air: was live, with 1 open card: https://discord.com/live'],
      );
    },
  );

  test.for([
    { name: 'edited', text: hourlyRule('hourly', 'Hi!') },
    { name: 'renamed', text: hourlyRule('greeting', 'Hi!', 'was: hourly\n') },
  ])('runs the slot that a rule missed while Fanfare was stopped and the rule was $name', async ({ text }) => {
    await using first = await openStage({ 'hourly.yaml': hourlyRule('hourly', 'Hello!') });
    await first.pass(1);
    await first.write('hourly.yaml', text);
    await first.clock.advance(3_600_000);

    await using second = await first.restart();
    await second.pass(2);

    expect(await deliveries(second.store)).toHaveLength(2);
  });

  test.for([
    { returns: 'unchanged', text: cardRule('live') },
    { returns: 'edited', text: cardRule('live', { text: 'plays' }) },
    { returns: 'with another file name', text: cardRule('live') },
  ])('continues the deliveries of a rule whose file returns $returns', async ({ returns, text }) => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(1);

    await stage.remove('live.yaml');
    await stage.reloads.reload();
    await stage.reloads.settled();
    const gone = await deliveries(stage.store);
    await stage.pass(3);
    await stage.write(returns === 'with another file name' ? 'other.yaml' : 'live.yaml', text);
    await stage.reloads.reload();
    await stage.reloads.settled();

    expect([gone, await deliveries(stage.store)]).toEqual([['live discord.send withdrawn'], ['live discord.send pending']]);
  });

  test('withdraws the deliveries of a rule that is turned off, and continues them when it is on again', async () => {
    const off = cardRule('live').replace('when:', 'enabled: false\nwhen:');
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(1);

    await stage.write('live.yaml', off);
    await stage.reloads.reload();
    await stage.reloads.settled();
    const withdrawn = await deliveries(stage.store);
    await stage.write('live.yaml', cardRule('live'));
    await stage.reloads.reload();
    await stage.reloads.settled();

    expect([withdrawn, await deliveries(stage.store)]).toEqual([['live discord.send withdrawn'], ['live discord.send pending']]);
  });

  test('moves the state of a deleted rule to an unchanged rule that names its id', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await stage.store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });

    // Some people write the renamed copy first, and delete the old file later.
    await stage.write('on-air.yaml', cardRule('on-air', { more: 'was: live\nenabled: false\n' }));
    await stage.reloads.reload();
    await stage.remove('live.yaml');
    await stage.reloads.reload();
    await stage.reloads.settled();
    const slot = (await stage.store.ruleStates.load('live')).slotMs;
    await stage.pass(30);

    expect(slot).toBeUndefined();
    expect((await stage.store.ruleStates.load('live')).slotMs).toBeUndefined();
    expect([...(await stage.store.ruleStates.paused()).keys()]).toEqual(['on-air']);
    expect(await deliveries(stage.store)).toEqual(['on-air discord.send skipped']);
  });

  test('keeps the state of a deleted rule whose file is back and off, also under another id', async () => {
    for (const returned of ['before a start', 'during a run', 'under another id']) {
      const off = cardRule('live', { more: 'enabled: false\n' });
      const renamed = cardRule('other', { more: 'enabled: false\nwas: live\n' });
      let stage = await openStage({ 'live.yaml': cardRule('live') });
      await stage.pass(1);
      await stage.remove('live.yaml');
      await stage.reloads.reload();
      await stage.reloads.settled();
      const retired = (await stage.store.ruleStates.lastSlots()).get('live')?.retiredMs;
      await stage.write('live.yaml', returned === 'under another id' ? renamed : off);
      if (returned === 'before a start') stage = await stage.restart();
      else await stage.reloads.reload();
      await stage.reloads.settled();

      const slots = await stage.store.ruleStates.lastSlots();
      await stage[Symbol.asyncDispose]();

      expect(retired, returned).toBeDefined();
      expect(
        [...slots.values()].map(({ retiredMs }) => retiredMs),
        returned,
      ).toEqual([undefined]);
    }
  });

  test('withdraws the deliveries of a rule that is turned off while no process runs', async () => {
    const stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(1);

    await stage.write('live.yaml', cardRule('live').replace('when:', 'enabled: false\nwhen:'));
    await using next = await stage.restart();

    expect(await deliveries(next.store)).toEqual(['live discord.send withdrawn']);
  });

  test('continues the deliveries of a rule whose file returns while no process runs', async () => {
    const stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await stage.remove('live.yaml');
    await stage.reloads.reload();
    await stage.reloads.settled();

    await stage.write('live.yaml', cardRule('live'));
    await using next = await stage.restart();

    expect(await deliveries(next.store)).toEqual(['live discord.send pending']);
  });

  test('names no open cards of a deleted rule that edits nothing', async () => {
    const plain = cardRule('live').replace(/finally:[^]*/u, '');
    await using stage = await openStage({ 'live.yaml': plain });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await sendAll(stage.store, stage.clock);

    await stage.remove('live.yaml');
    await stage.reloads.reload();

    expect(stage.lines).toEqual(['info  - live rule=live']);
  });

  test('counts the open effects of a deleted rule that stay', async () => {
    const role = `id: live
when: { every: 10s, watch: streaming.getStreams, with: { users: [ada] }, first: fire }
then: [{ do: discord.addRole, with: { user: ada, role: Live } }]
finally: [{ do: discord.removeRole, with: { user: ada, role: Live } }]
`;
    await using stage = await openStage({ 'live.yaml': role });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await sendAll(stage.store, stage.clock);

    await stage.remove('live.yaml');
    await stage.reloads.reload();

    expect(stage.lines).toEqual(['info  - live (still open: 1; their messages stay) rule=live']);
  });

  test('logs the warnings of a new file once', async () => {
    await using stage = await openStage({});

    await stage.write('live.yaml', cardRule('live').replace('finally:', '  - wait: 1m\nfinally:'));
    await stage.reloads.reload();
    await stage.write('live.yaml', cardRule('live', { text: 'plays' }).replace('finally:', '  - wait: 1m\nfinally:'));
    await stage.reloads.reload();

    expect(stage.lines).toEqual([
      'info  + live rule=live',
      expect.stringMatching(/^warn +! live\.yaml:7:\d+ then\[1\]: no step follows this wait/),
      'info  ~ live: content of then[0] rule=live',
    ]);
  });

  test('keeps a rule whose file was moved', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(3);
    const before = await nextMsOf(stage.scheduler, 'live');

    await rename(join(stage.folder, 'live.yaml'), join(stage.folder, 'cards.yaml'));
    await stage.reloads.reload();
    await stage.pass(30);

    expect(stage.lines).toEqual(['info  ~ live: now in cards.yaml rule=live']);
    expect(before).toBe(Date.parse('2026-11-20T18:00:10Z'));
    expect(await deliveries(stage.store)).toEqual(['live discord.send pending']);
    expect(stage.registry.running.map(({ file }) => file)).toEqual([join(stage.folder, 'cards.yaml')]);
  });

  test('ends a rule whose file was replaced by that of another rule with an error, and continues the other rule', async () => {
    await using first = await openStage({ 'live.yaml': cardRule('live'), 'other.yaml': cardRule('other') });
    first.live = [stream('ada')];
    await first.pass(1);

    await rename(join(first.folder, 'live.yaml'), join(first.folder, 'other.yaml'));
    await first.write('other.yaml', `${cardRule('live')}wenn: now\n`);
    await first.reloads.reload();
    await first.reloads.settled();
    const running = first.registry.running.map(({ id }) => id);
    await using second = await first.restart();

    expect([running, second.registry.running.map(({ id }) => id)]).toEqual([['live'], ['live']]);
    expect((await deliveries(first.store)).toSorted()).toEqual(['live discord.send pending', 'other discord.send withdrawn']);
  });

  test('with two files of one id keeps the running rule, and rejects the other file until it is the only one', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });

    await stage.write('a.yaml', cardRule('live', { text: 'plays' }));
    await stage.reloads.reload();
    const running = stage.registry.running.map(({ file }) => file);
    await stage.remove('live.yaml');
    await stage.reloads.reload();

    expect(running).toEqual([join(stage.folder, 'live.yaml')]);
    expect(stage.lines).toEqual([
      expect.stringMatching(/^warn +! a\.yaml:1:1 id: .*the id live is already used in live\.yaml .*; the rule does not run$/),
      'info  ~ live: now in a.yaml, content of then[0] rule=live',
    ]);
  });

  test('closes the episodes of a removed value of `each` with `finally`, and keeps the others', async () => {
    const each = (names: string): string =>
      cardRule('games', { more: `each: { game: [${names}] }\n` }).replace('content: over', 'content: "${{ each.game }} is over"');
    await using stage = await openStage({ 'games.yaml': each('Chess, Go') });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await sendAll(stage.store, stage.clock);

    await stage.write('games.yaml', each('Go'));
    await stage.reloads.reload();
    await stage.reloads.settled();

    expect(stage.lines).toEqual([
      'info  ~ games: each.game.Chess (gone) rule=games',
      'info  - games/Chess (1 open card: https://discord.com/games/Chess, closed now) rule=games/Chess',
    ]);
    expect((await deliveries(stage.store)).filter((one) => one.includes('edit'))).toEqual(['games/Chess discord.edit pending']);
    expect(stage.registry.running.map(({ id }) => id)).toEqual(['games/Go']);
  });

  test('stops the polls of a rule that is switched off, closes nothing, and continues when it is switched on', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await sendAll(stage.store, stage.clock);

    await stage.write('live.yaml', cardRule('live', { more: 'enabled: false\n' }));
    await stage.reloads.reload();
    stage.live = [];
    await stage.pass(200);
    const whileOff = await deliveries(stage.store);
    await stage.write('live.yaml', cardRule('live'));
    await stage.reloads.reload();
    await stage.pass(200);

    expect(stage.lines).toEqual(['info  ~ live: enabled false (new) rule=live', 'info  ~ live: enabled (gone) rule=live']);
    expect(whileOff).toEqual(['live discord.send sent']);
    expect(await deliveries(stage.store)).toEqual(['live discord.send sent', 'live discord.edit pending']);
  });

  test('warns about a removed step id that open cards need', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await sendAll(stage.store, stage.clock);

    await stage.write('live.yaml', cardRule('live', { step: 'message' }));
    await stage.reloads.reload();

    expect(stage.lines[1]).toBe(
      'warn  ! live no longer has steps.card, so its open messages are neither updated nor closed (1 open card: https://discord.com/live) rule=live',
    );
  });

  test('does not warn when a step has its id again, because the open cards are of that step', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await sendAll(stage.store, stage.clock);
    await stage.write('live.yaml', cardRule('live', { step: 'message' }));
    await stage.reloads.reload();

    await stage.write('live.yaml', cardRule('live'));
    await stage.reloads.reload();

    expect(stage.lines.filter((line) => line.includes('no longer has'))).toEqual([expect.stringContaining('no longer has steps.card')]);
  });

  test('warns about an edited start value that a stored value hides', async () => {
    const counted = (start: number) => hourlyRule('hourly', 'hi', `keep: { count: { start: ${start}, next: keep.count + 1 } }\n`);
    await using stage = await openStage({ 'hourly.yaml': counted(3) });
    await stage.write('hourly.yaml', counted(5));
    await stage.reloads.reload();
    await stage.pass(361);

    await stage.write('hourly.yaml', counted(12));
    await stage.reloads.reload();

    const { memory } = await stage.store.ruleStates.load('hourly');
    expect(memory.kept).toEqual({ count: 6 });
    expect(stage.lines.filter((line) => line.includes('stored value'))).toEqual([
      expect.stringContaining('warn  ! hourly continues with the stored value of count'),
    ]);
  });

  test('warns about an edited start value of a renamed rule', async () => {
    const counted = (id: string, start: number, more = '') =>
      hourlyRule(id, 'hi', `keep: { count: { start: ${start}, next: keep.count + 1 } }\n${more}`);
    await using stage = await openStage({ 'hourly.yaml': counted('hourly', 3) });
    await stage.pass(361);

    await stage.write('hourly.yaml', counted('greeting', 12, 'was: hourly\n'));
    await stage.reloads.reload();
    await stage.reloads.settled();

    const { memory } = await stage.store.ruleStates.load('greeting');
    expect(memory.kept).toEqual({ count: 4 });
    expect(stage.lines.filter((line) => line.includes('stored value'))).toEqual([
      expect.stringContaining('warn  ! greeting continues with the stored value of count'),
    ]);
  });

  test('commits the running slot of a deleted rule before the rule ends', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live'), 'more.yaml': cardRule('more') });
    stage.live = [stream('ada')];
    const release = stage.hold();
    const tick = stage.scheduler.tick();

    await stage.remove('live.yaml');
    await stage.write('more.yaml', cardRule('more', { text: 'plays' }));
    await stage.reloads.reload();
    const duringTick = await deliveries(stage.store);
    release();
    await tick;
    await stage.reloads.settled();

    expect(duringTick).toEqual([]);
    expect((await deliveries(stage.store)).toSorted()).toEqual(['live discord.send withdrawn', 'more discord.send pending']);
  });

  test('keeps a rule that is deleted and restored while it runs', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    const release = stage.hold();
    const tick = stage.scheduler.tick();

    await stage.remove('live.yaml');
    await stage.reloads.reload();
    await stage.write('live.yaml', cardRule('live', { text: 'plays' }));
    await stage.reloads.reload();
    release();
    await tick;
    await stage.reloads.settled();
    await stage.pass(11);

    expect(await deliveries(stage.store)).toEqual(['live discord.send pending']);
    expect(await nextMsOf(stage.scheduler, 'live')).toBe(Date.parse('2026-11-20T18:00:20Z'));
  });

  test('keeps all rules if the folder cannot be read, and logs that once', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });

    await rename(stage.folder, `${stage.folder}-away`);
    await stage.reloads.reload();
    await stage.reloads.reload();
    await rename(`${stage.folder}-away`, stage.folder);
    await stage.reloads.reload();

    expect(stage.lines).toEqual([expect.stringMatching(/^warn +the rules cannot be read: all rules keep running/)]);
    expect(stage.lines[0]).toContain('why="there is no such file or folder"');
    // A new project in its place would delete all rules.
    expect(stage.lines[0]).not.toContain('fanfare init');
    expect(await nextMsOf(stage.scheduler, 'live')).toBeDefined();
  });

  test('keeps all rules if the folder is replaced by an empty one, until the new folder has rules', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });

    await rename(stage.folder, `${stage.folder}-away`);
    await mkdir(stage.folder);
    await stage.reloads.reload();
    await stage.reloads.reload();
    const whileEmpty = await nextMsOf(stage.scheduler, 'live');
    await stage.write('other.yaml', cardRule('other'));
    await stage.reloads.reload();
    await stage.reloads.settled();

    expect(whileEmpty).toBeDefined();
    expect(stage.lines[0]).toMatch(/^warn +the rules cannot be read: all rules keep running.*not the folder that had the rules/);
    expect(stage.registry.running.map(({ id }) => id)).toEqual(['other']);
  });

  test('keeps all rules if a link leads to an empty folder, and follows it to a folder with rules', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    const [first, empty, next] = [`${stage.folder}-1`, `${stage.folder}-2`, `${stage.folder}-3`];
    const linkTo = async (target: string): Promise<void> => {
      await symlink(target, `${stage.folder}-link`);
      await rename(`${stage.folder}-link`, stage.folder);
      await stage.reloads.reload();
    };
    await rename(stage.folder, first);
    for (const folder of [empty, next]) await mkdir(folder);
    await writeFile(`${next}/live.yaml`, cardRule('live'));
    await writeFile(`${next}/other.yaml`, cardRule('other'));

    await linkTo(first);
    await linkTo(empty);
    const whileEmpty = stage.registry.running.map(({ id }) => id);
    await linkTo(next);

    expect(whileEmpty).toEqual(['live']);
    expect(stage.registry.running.map(({ id }) => id)).toEqual(['live', 'other']);
  });

  test('keeps the rules of a subfolder that is replaced by an empty one, until the folder is deleted', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    const team = join(stage.folder, 'team');
    await mkdir(join(team, 'more'), { recursive: true });
    await stage.write('team/more/raid.yaml', cardRule('raid', { channel: 'raids' }));
    await stage.reloads.reload();
    const ids = (): readonly string[] => stage.registry.running.map(({ id }) => id);

    await rename(team, `${stage.folder}-away`);
    await mkdir(team);
    await stage.reloads.reload();
    await stage.reloads.reload();
    const whileEmpty = ids();
    await rmdir(team);
    await stage.reloads.reload();

    expect(whileEmpty).toEqual(['live', 'raid']);
    expect(stage.lines.filter((line) => line.startsWith('warn'))).toEqual([
      expect.stringMatching(/the rules cannot be read: all rules keep running.*team.*To delete its rules, delete the folder/),
    ]);
    expect(ids()).toEqual(['live']);
  });

  test('deletes the last rule of a subfolder if its file is deleted', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    await mkdir(join(stage.folder, 'team'));
    await stage.write('team/raid.yaml', cardRule('raid'));
    await stage.reloads.reload();

    await stage.remove('team/raid.yaml');
    await stage.reloads.reload();
    await stage.reloads.settled();

    expect(stage.registry.running.map(({ id }) => id)).toEqual(['live']);
  });

  test('deletes the last rule if its file is deleted', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });

    await stage.remove('live.yaml');
    await stage.reloads.reload();
    await stage.reloads.settled();

    expect(stage.registry.running).toEqual([]);
  });
});

describe('a start', () => {
  test('runs the stored version of a file with errors, even if it was moved', async () => {
    await using first = await openStage({ 'live.yaml': cardRule('live'), 'more.yaml': cardRule('more') });
    await first.write('live.yaml', BROKEN);
    await rename(join(first.folder, 'more.yaml'), join(first.folder, 'moved.yaml'));
    await first.write('moved.yaml', 'id: more\nthen: 5\n');

    const stage = await first.restart();

    expect(stage.registry.running.map(({ id }) => id)).toEqual(['live', 'more']);
    expect(stage.registry.now.asBefore).toEqual(new Set([join(stage.folder, 'live.yaml'), join(stage.folder, 'moved.yaml')]));
  });

  test('applies the changes that were made while Fanfare was stopped', async () => {
    const each = (names: string): string => cardRule('games', { more: `each: { game: [${names}] }\n` });
    await using first = await openStage({ 'live.yaml': cardRule('live'), 'games.yaml': each('Chess, Go') });
    first.live = [stream('ada')];
    await first.pass(1);
    await sendAll(first.store, first.clock);
    await first.remove('live.yaml');
    await first.write('games.yaml', each('Go'));

    const stage = await first.restart();

    expect(stage.lines).toEqual([
      'info  ~ games: each.game.Chess (gone) rule=games',
      'info  - games/Chess (1 open card: https://discord.com/games/Chess, closed now) rule=games/Chess',
      'info  - live (1 open card: https://discord.com/live, unchanged) rule=live',
    ]);
    expect((await deliveries(stage.store)).filter((one) => one.includes('edit'))).toEqual(['games/Chess discord.edit pending']);
    const again = await stage.restart();
    expect(again.lines).toEqual([]);
  });

  test('ends a deleted rule whose end failed before, even if the rules changed since then', async () => {
    await using whole = await openStore();
    let isFull = true;
    const retire: typeof whole.ruleStates.retire = async (id) => {
      if (isFull) throw new Error('disk full');
      await whole.ruleStates.retire(id);
    };
    const store = { ...whole, ruleStates: { ...whole.ruleStates, retire } };
    await using first = await openStage({ 'live.yaml': cardRule('live') }, { store });
    first.live = [stream('ada')];
    await first.pass(1);
    await first.remove('live.yaml');
    await first.reloads.reload();
    await first.reloads.settled();
    const pending = await deliveries(store);
    isFull = false;
    await first.write('more.yaml', cardRule('more'));
    await first.reloads.reload();
    await first.reloads.settled();

    await first.restart();

    expect([pending, await deliveries(store)]).toEqual([['live discord.send pending'], ['live discord.send withdrawn']]);
  });

  test('continues the deliveries of a rule that is back, although the process was killed before it stored its rules', async () => {
    await using whole = await openStore();
    let isKilled = false;
    const change: typeof whole.ruleSources.change = async (sources) => {
      if (!isKilled) await whole.ruleSources.change(sources);
    };
    const store = { ...whole, ruleSources: { ...whole.ruleSources, change } };
    await using first = await openStage({ 'live.yaml': cardRule('live') }, { store });
    first.live = [stream('ada')];
    await first.pass(1);
    isKilled = true;
    await first.remove('live.yaml');
    await first.reloads.reload();
    await first.reloads.settled();
    const withdrawn = await deliveries(store);

    await first.write('live.yaml', cardRule('live'));
    await first.restart();

    expect([withdrawn, await deliveries(store)]).toEqual([['live discord.send withdrawn'], ['live discord.send pending']]);
  });

  test('begins when the deliveries of its rules continue, because the delivery engine starts next', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    const { promise: reinstated, resolve } = Promise.withResolvers<void>();
    const ruleStates = { ...stage.store.ruleStates, reinstate: () => reinstated };
    const reloads = createReloads({
      ...stage,
      store: { ...stage.store, ruleStates },
      onRetired: () => undefined,
      onChange: () => undefined,
      log: silentLog,
    });
    const order: string[] = [];

    const begun = reloads.begin().then(() => order.push('begun'));
    await stage.clock.advance(0);
    order.push('reinstated');
    resolve();
    await begun;

    expect(order).toEqual(['reinstated', 'begun']);
  });

  test('with two files of one id continues the rule that ran', async () => {
    await using first = await openStage({ 'live.yaml': cardRule('live') });
    await first.write('a.yaml', cardRule('live'));

    const stage = await first.restart();

    expect(stage.registry.running.map(({ file }) => file)).toEqual([join(stage.folder, 'live.yaml')]);
  });
});
