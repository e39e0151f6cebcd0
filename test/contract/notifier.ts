import { expect, test } from 'vitest';
import type { Rule } from '#src/rules/rule.ts';
import type { followedPlatform } from '../support/followed-platform.ts';
import type { ManualClock } from '../support/manual-clock.ts';

/** A platform of the sandbox, and an installation whose rule watches one of its names. */
export interface NotifierFixture {
  readonly followed: ReturnType<typeof followedPlatform>;
  readonly rules: readonly Rule[];
  readonly clock: ManualClock;
  /** Changes something that the rule watches. */
  readonly change: () => Promise<unknown>;
  /** The hints of that change. */
  readonly hints: readonly string[];
  /** The hints after a gap: one for each operation. */
  readonly all: readonly string[];
  /** Ends the connections as a lost network does. */
  readonly disconnect: () => Promise<unknown>;
  /** The number of connections that the platform has. */
  readonly connections: () => Promise<number>;
}

/** The contract of the notifiers of all platforms. */
export function notifierContract(open: () => Promise<NotifierFixture>): void {
  /** The connection begins with a poll of everything. */
  async function connected(): Promise<NotifierFixture> {
    const fixture = await open();
    await fixture.followed.until(async () => (await fixture.followed.report())?.state === 'connected' && fixture.followed.hints.length > 0);
    await fixture.followed.pass(4_000);
    expect(fixture.followed.taken()).toEqual(expect.arrayContaining([...fixture.all]));
    return fixture;
  }

  test('a change is a hint about what changed, over one connection', async () => {
    const { followed, change, hints, connections } = await connected();
    expect(await connections()).toBe(1);
    await change();
    await followed.until(() => followed.hints.length > 0);
    expect(followed.taken()).toEqual(hints);
  });

  test('after a lost connection, everything is polled once, and changes are hints again', async () => {
    const { followed, change, hints, all, disconnect, connections } = await connected();
    await disconnect();
    await followed.until(() => followed.hints.length > 0);
    expect(followed.taken()).toEqual(all);
    await followed.pass(4_000);
    expect(followed.taken()).toEqual([]);
    expect(await connections()).toBe(1);
    await change();
    await followed.until(() => followed.hints.length > 0);
    expect(followed.taken()).toEqual(hints);
  });

  test('without a name, the connection ends, and with one it begins again', async () => {
    const { followed, rules, connections } = await connected();
    followed.changeRules([]);
    await followed.until(async () => (await connections()) === 0);
    await followed.until(async () => (await followed.report())?.state === 'stopped');
    followed.changeRules(rules);
    await followed.until(async () => (await followed.report())?.state === 'connected');
    expect(await connections()).toBe(1);
  });

  test('the end of the process leaves no connection and no timer', async () => {
    const fixture = await open();
    const { followed, clock, connections } = fixture;
    followed.changeRules([]);
    await followed.until(async () => (await connections()) === 0);
    const before = clock.sleeping;
    followed.changeRules(fixture.rules);
    await followed.until(async () => (await followed.report())?.state === 'connected');
    await fixture.change();
    await followed[Symbol.asyncDispose]();
    await expect.poll(connections).toBe(0);
    await clock.advance(10_000);
    // What still sleeps belongs to the platform.
    expect(clock.sleeping).toBeLessThanOrEqual(before);
  });
}
