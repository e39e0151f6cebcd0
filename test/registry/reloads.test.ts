import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cardRule, deliveries, openStage, sendAll, stream } from './fixture.ts';

const BROKEN = 'id: live\nwenn: now\n';

describe('a reload', () => {
  test('says nothing and does nothing where nothing changed', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });

    expect(await stage.reloads.reload()).toBe(false);

    expect(stage.lines).toEqual([]);
    expect(stage.changes()).toBe(0);
  });

  test('takes up a new rule, and leaves the timers of the others alone', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    await stage.pass(3);
    const before = stage.scheduler.nextMs('live');

    await stage.write('more.yaml', cardRule('more'));
    expect(await stage.reloads.reload()).toBe(true);
    await stage.reloads.settled();

    expect(stage.lines).toEqual(['info  + more']);
    expect(stage.registry.running.map(({ id }) => id)).toEqual(['live', 'more']);
    expect([before, stage.scheduler.nextMs('live')]).toEqual([Date.parse('2026-11-20T18:00:10Z'), Date.parse('2026-11-20T18:00:10Z')]);
    expect(stage.scheduler.nextMs('more')).toBe(stage.clock.nowMs());
  });

  test('says of a rule that changed what did, and it speaks so from its next slot on', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    await stage.pass(1);

    await stage.write('live.yaml', cardRule('live', { text: 'plays' }).replace('every: 10s', 'every: 5s'));
    await stage.reloads.reload();
    stage.live = [stream('ada')];
    await stage.pass(6);

    expect(stage.lines).toEqual(['info  ~ live: when.every 10s → 5s, content of then[0]']);
    const { items } = await stage.store.deliveryLog.list();
    const due = items[0] && (await stage.store.deliveries.prepare(items[0]));
    expect(due?.due.step.with['content']).toContain('plays');
  });

  test('of very many changes at once says only which rules they are of', async () => {
    const names = Array.from({ length: 101 }, (_, number) => `r${number}`);
    await using stage = await openStage(Object.fromEntries(names.map((name) => [`${name}.yaml`, cardRule(name)])));

    for (const name of names) await stage.write(`${name}.yaml`, cardRule(name, { text: 'plays' }));
    await stage.reloads.reload();

    expect(stage.lines).toHaveLength(101);
    expect(stage.lines).toContain('info  ~ r7: edited');
  });

  test('keeps the last good version of a file that became invalid, says so once, and says when it is right again', async () => {
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
    expect(stage.lines[0]).toMatch(/^warn +! live\.yaml:10:1 wenn: unknown key: wenn .*; goes on as before$/);
    expect(stage.lines.slice(1)).toEqual(['info  ~ live.yaml: nothing is wrong with it any more']);
  });

  test('of a rule that is deleted nothing more is sent, and its open cards are named', async () => {
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

    expect(await deliveries(stage.store)).toEqual(['live discord.send sent', 'live discord.send skipped']);
    expect(stage.lines).toEqual(['info  - live (1 open card: https://discord.com/live, left as they are)']);
  });

  test('of a rule that is deleted and edits nothing no card is called open', async () => {
    const plain = cardRule('live').replace(/finally:[^]*/u, '');
    await using stage = await openStage({ 'live.yaml': plain });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await sendAll(stage.store, stage.clock);

    await stage.remove('live.yaml');
    await stage.reloads.reload();

    expect(stage.lines).toEqual(['info  - live']);
  });

  test('of a rule that is deleted and was to end something it is said that it stays', async () => {
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

    expect(stage.lines).toEqual(['info  - live (still open: 1; what it did for them stays)']);
  });

  test('warnings of a file are told when it comes, and once', async () => {
    await using stage = await openStage({});

    await stage.write('live.yaml', cardRule('live').replace('finally:', '  - wait: 1m\nfinally:'));
    await stage.reloads.reload();
    await stage.write('live.yaml', cardRule('live', { text: 'plays' }).replace('finally:', '  - wait: 1m\nfinally:'));
    await stage.reloads.reload();

    expect(stage.lines).toEqual([
      'info  + live',
      expect.stringMatching(/^warn +! live\.yaml:7:\d+ then\[1\]: nothing comes after this wait/),
      'info  ~ live: content of then[0]',
    ]);
  });

  test('a rule in a file that was moved is the same rule', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(3);
    const before = stage.scheduler.nextMs('live');

    await rename(join(stage.folder, 'live.yaml'), join(stage.folder, 'cards.yaml'));
    await stage.reloads.reload();
    await stage.pass(30);

    expect(stage.lines).toEqual(['info  ~ live: now in cards.yaml']);
    expect(before).toBe(Date.parse('2026-11-20T18:00:10Z'));
    expect(await deliveries(stage.store)).toEqual(['live discord.send pending']);
    expect(stage.registry.running.map(({ file }) => file)).toEqual([join(stage.folder, 'cards.yaml')]);
  });

  test('of two files with one id the one that runs goes on, and the other is refused until it is alone', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });

    await stage.write('a.yaml', cardRule('live', { text: 'plays' }));
    await stage.reloads.reload();
    const running = stage.registry.running.map(({ file }) => file);
    await stage.remove('live.yaml');
    await stage.reloads.reload();

    expect(running).toEqual([join(stage.folder, 'live.yaml')]);
    expect(stage.lines).toEqual([
      expect.stringMatching(/^warn +! a\.yaml:1:1 id: .*have the same id: live .*; does not run$/),
      'info  ~ live: now in a.yaml, content of then[0]',
    ]);
  });

  test('a value of each that is taken out closes its episodes at once, with `finally`; the others stay', async () => {
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
      'info  ~ games: each.game.Chess (gone)',
      'info  - games/Chess (1 open card: https://discord.com/games/Chess, closed now)',
    ]);
    expect((await deliveries(stage.store)).filter((one) => one.includes('edit'))).toEqual(['games/Chess discord.edit pending']);
    expect(stage.registry.running.map(({ id }) => id)).toEqual(['games/Go']);
  });

  test('a rule that is switched off looks no more, closes nothing, and goes on when it is switched on', async () => {
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

    expect(stage.lines).toEqual(['info  ~ live: enabled false (new)', 'info  ~ live: enabled (gone)']);
    expect(whileOff).toEqual(['live discord.send sent']);
    expect(await deliveries(stage.store)).toEqual(['live discord.send sent', 'live discord.edit pending']);
  });

  test('a step id that is no more is told where open cards are known by it', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });
    stage.live = [stream('ada')];
    await stage.pass(1);
    await sendAll(stage.store, stage.clock);

    await stage.write('live.yaml', cardRule('live', { step: 'message' }));
    await stage.reloads.reload();

    expect(stage.lines[1]).toBe(
      'warn  ! live: there is no steps.card any more, so what it sent is neither edited nor closed (1 open card: https://discord.com/live)',
    );
  });

  test('in the middle of a slot lets it end as it was: what it decides is committed, and then the rule is gone', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live'), 'more.yaml': cardRule('more') });
    stage.live = [stream('ada')];
    const release = stage.hold();
    const tick = stage.scheduler.tick();

    await stage.remove('live.yaml');
    await stage.write('more.yaml', cardRule('more', { text: 'plays' }));
    await stage.reloads.reload();
    const meanwhile = await deliveries(stage.store);
    release();
    await tick;
    await stage.reloads.settled();

    expect(meanwhile).toEqual([]);
    expect((await deliveries(stage.store)).toSorted()).toEqual(['live discord.send skipped', 'more discord.send pending']);
  });

  test('a rule that is deleted and back while it is at work goes on', async () => {
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
    expect(stage.scheduler.nextMs('live')).toBe(Date.parse('2026-11-20T18:00:20Z'));
  });

  test('where the folder cannot be read everything goes on, and that is said once', async () => {
    await using stage = await openStage({ 'live.yaml': cardRule('live') });

    await rename(stage.folder, `${stage.folder}-away`);
    await stage.reloads.reload();
    await stage.reloads.reload();
    await rename(`${stage.folder}-away`, stage.folder);
    await stage.reloads.reload();

    expect(stage.lines).toEqual([expect.stringMatching(/^warn +the rules cannot be read: all rules keep running/)]);
    expect(stage.scheduler.nextMs('live')).toBeDefined();
  });
});

describe('a start', () => {
  test('runs a file that is invalid as it was stored, also where it was moved meanwhile', async () => {
    await using first = await openStage({ 'live.yaml': cardRule('live'), 'more.yaml': cardRule('more') });
    await first.write('live.yaml', BROKEN);
    await rename(join(first.folder, 'more.yaml'), join(first.folder, 'moved.yaml'));
    await first.write('moved.yaml', 'id: more\nthen: 5\n');

    const stage = await first.restart();

    expect(stage.registry.running.map(({ id }) => id)).toEqual(['live', 'more']);
    expect(stage.registry.now.asBefore).toEqual(new Set([join(stage.folder, 'live.yaml'), join(stage.folder, 'moved.yaml')]));
  });

  test('does what a reload would have done for what changed while nothing ran', async () => {
    const each = (names: string): string => cardRule('games', { more: `each: { game: [${names}] }\n` });
    await using first = await openStage({ 'live.yaml': cardRule('live'), 'games.yaml': each('Chess, Go') });
    first.live = [stream('ada')];
    await first.pass(1);
    await sendAll(first.store, first.clock);
    await first.remove('live.yaml');
    await first.write('games.yaml', each('Go'));

    const stage = await first.restart();

    expect(stage.lines).toEqual([
      'info  ~ games: each.game.Chess (gone)',
      'info  - games/Chess (1 open card: https://discord.com/games/Chess, closed now)',
      'info  - live (1 open card: https://discord.com/live, left as they are)',
    ]);
    expect((await deliveries(stage.store)).filter((one) => one.includes('edit'))).toEqual(['games/Chess discord.edit pending']);
    const again = await stage.restart();
    expect(again.lines).toEqual([]);
  });

  test('where two files have one id, the one that ran goes on', async () => {
    await using first = await openStage({ 'live.yaml': cardRule('live') });
    await first.write('a.yaml', cardRule('live'));

    const stage = await first.restart();

    expect(stage.registry.running.map(({ file }) => file)).toEqual([join(stage.folder, 'live.yaml')]);
  });
});
