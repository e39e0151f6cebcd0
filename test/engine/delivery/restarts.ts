import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog } from '#src/log.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { Rule } from '#src/rules/rule.ts';
import { resend } from '#src/admin/actions/resend.ts';
import { openStore } from '#src/store/store.ts';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';
import type { FakePlatform } from '../../support/fake-platform.ts';
import { renderPlainly, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { Killable } from './killable.ts';
import { commitWith } from './running-engine.ts';

export interface World {
  readonly file: string;
  readonly clock: ManualClock;
  readonly platform: FakePlatform;
  readonly commits: readonly Commit[];
  readonly visibleAfterMs: number;
  /** The time between two commits; absent: none. */
  readonly spacedMs?: number | undefined;
  /** The rule with which failed deliveries are sent again, once each; absent: they stay failed. */
  readonly resendWith?: Rule | undefined;
}

/** Longer than all retries of a test. */
const LONGEST_RUN_MS = 60 * 60_000;

let newFilePath: string | undefined;

/** An empty store. It is created once, because that takes longer than most runs. */
async function newFile(): Promise<string> {
  if (newFilePath !== undefined) return newFilePath;
  const folder = temporaryFolder({ inMemory: true });
  onTestFinished(() => {
    newFilePath = undefined;
    folder[Symbol.dispose]();
  });
  const path = join(folder.path, 'fanfare.sqlite');
  await using _store = await openStore({ file: path, clock: new ManualClock(SLOT_MS) });
  newFilePath = path;
  return path;
}

/** Starts the program on the database of earlier runs, repeats all commits, and sends until all deliveries are settled; false: it was killed. */
export async function runProgram(world: World, killable = new Killable(Infinity, 'before')): Promise<boolean> {
  const { file, clock, platform, commits, visibleAfterMs } = world;
  if (!existsSync(file)) copyFileSync(await newFile(), file);
  await using store = await openStore({ file, clock });
  const ruleStates = killable.methods(store.ruleStates, ['commit']);
  const deliveries = killable.methods(store.deliveries, ['change', 'reopen']);
  const engine = createDeliveryEngine({
    deliveries,
    perform: killable.call(platform.perform),
    recover: killable.read(platform.recover),
    render: killable.read(renderPlainly),
    clock: { nowMs: () => clock.nowMs(), sleep: killable.read((ms, signal?: AbortSignal) => clock.sleep(ms, signal)) },
    log: silentLog,
    visibleAfterMs: () => visibleAfterMs,
    keepsKeys: () => platform.keepsKeys,
    isQuestion: (verb) => verb === 'discord.ask',
    random: () => 0.5,
  });

  let committed = false;
  async function commitAll(): Promise<void> {
    for (const commit of commits) {
      await commitWith({ ruleStates }, engine, commit);
      // The next attempt can begin with its commit if the lane of its account waits.
      if (world.spacedMs) await clock.sleep(world.spacedMs);
    }
    committed = true;
  }

  /** Resolves `unknown` deliveries with the records of the platform. */
  async function decide(unknown: readonly Delivery[]): Promise<void> {
    for (const { id } of unknown) await engine.resolve(id, platform.counts()[id] ? 'sent' : 'again');
  }

  /** Two people send each failed delivery again. */
  async function resendAll(failed: readonly Delivery[], rule: Rule): Promise<void> {
    const options = {
      deliveries: { ...deliveries, reopen: engine.reopen },
      ruleStates: store.ruleStates,
      findRule: () => ({ rule, isOn: true }),
      isPost: () => false,
      clock,
    };
    for (const { id } of failed) await Promise.all(['ada', 'grace'].map((by) => resend(id, by, options)));
  }

  /** Answers each question twice. Only the first answer counts. */
  async function answerAll(asked: readonly Delivery[]): Promise<void> {
    for (const { id, params } of asked) {
      if (params?.['answer'] === undefined) continue;
      await engine.answer(id, { choice: params['answer'] });
      await engine.answer(id, { choice: 'another' });
    }
  }

  const stop = new AbortController();
  const running = engine.run(stop.signal);
  void commitAll();
  await clock.advance(0);
  for (let passedMs = 0; passedMs < LONGEST_RUN_MS && !killable.isKilled;) {
    const { items: unknown } = await store.deliveryLog.list({ state: 'unknown' });
    const { items: failed } = world.resendWith ? await store.deliveryLog.list({ state: 'failed' }) : { items: [] };
    if (committed && unknown.length + failed.length === 0 && (await store.deliveries.accounts()).length === 0) {
      stop.abort();
      await clock.advance(0);
      // It may be killed during shutdown, too.
      if (!killable.isKilled) await running;
      return !killable.isKilled;
    }
    void decide(unknown);
    if (world.resendWith) void resendAll(failed, world.resendWith);
    const { items: asked } = await store.deliveryLog.list({ state: 'asked' });
    void answerAll(asked);
    // Small steps first, so that a killed program restarts at once.
    const tickMs = passedMs < 10_000 ? 1_000 : 15_000;
    await clock.advance(tickMs);
    passedMs += tickMs;
  }
  if (!killable.isKilled) throw new Error('a delivery was never settled');
  return false;
}

/** All deliveries of a world, in the order of their commits. */
export async function readEnd({ file, clock }: World): Promise<readonly Delivery[]> {
  await using store = await openStore({ file, clock });
  return (await store.deliveryLog.list({ limit: 1_000, idle: true })).items.toReversed();
}
