import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createReloads, type Reloads } from '#src/engine/rule-sets/reloads.ts';
import { openRegistry } from '#src/app/open-registry.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { Clock } from '#src/clock.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createScheduler, type Scheduler } from '#src/engine/scheduler/scheduler.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Rules in a folder that run over a real store. The test provides the polls. */
export interface Stage extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly folder: string;
  readonly store: Store;
  readonly registry: RuleRegistry;
  readonly scheduler: Scheduler;
  readonly reloads: Reloads;
  /** The lines of the log, without times. */
  readonly lines: string[];
  /** The number of changes of the rules. */
  readonly changes: () => number;
  /** The live channels. */
  live: readonly Item[];
  /** Delays the results of all polls until the returned function is called. */
  hold(): () => void;
  write(file: string, text: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** Advances the clock with a tick every second. */
  pass(seconds: number): Promise<void>;
  /** Ends this stage and starts another one with the same store. */
  restart(): Promise<Stage>;
}

interface Opening {
  readonly folder: string;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly live: readonly Item[];
  readonly poll: StageOptions['poll'];
  readonly onAdvance: StageOptions['onAdvance'];
}

export interface StageOptions {
  /** The store of several stages. If it has rule versions, they replace the folder. */
  readonly store?: Store | undefined;
  readonly clock?: ManualClock | undefined;
  /** The poll of a rule. Default: the live channels of the stage. */
  readonly poll?: ((rule: Rule, nowMs: number) => Poll) | undefined;
  /** Receives the effects of each slot. */
  readonly onAdvance?: ((one: Advance) => void) | undefined;
}

/** A stage with these files. */
export async function openStage(
  files: Readonly<Record<string, string>>,
  { store: shared, clock = new ManualClock(), poll, onAdvance }: StageOptions = {},
): Promise<Stage> {
  const folder = temporaryFolder({ inMemory: true });
  const store = shared ?? (await openStore({ clock }));
  const rules = join(folder.path, 'rules');
  await mkdir(rules);
  for (const [file, text] of Object.entries(files)) await writeFile(join(rules, file), text);
  return open({ folder: rules, store, clock, live: [], poll, onAdvance }, async () => {
    if (!shared) await store[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
}

async function open({ folder, store, clock, live, poll: pollOf, onAdvance }: Opening, close: () => Promise<void>): Promise<Stage> {
  const lines: string[] = [];
  let [changes, held] = [0, Promise.resolve()];
  const write = (line: string): void =>
    void lines.push(
      line
        .trim()
        .replace(/^\S+Z +/u, '')
        .replaceAll(`${folder}/`, ''),
    );
  const log = createLog({ level: 'info', secrets: [], write, color: false });
  const config = configOfEnvironment({ FANFARE_RULES: folder });
  const registry = await openRegistry({
    config,
    versions: store.ruleVersions,
    stored: await store.ruleSources.load(),
    nowMs: () => clock.nowMs(),
  });
  const poll = async (rule: Rule): Promise<Poll> => {
    await held;
    if (pollOf) return pollOf(rule, clock.nowMs());
    return { items: stage.live, complete: true };
  };
  const scheduler = await createScheduler({
    rules: registry.running,
    states: store.ruleStates,
    read: async (due, onPoll) => void (await Promise.all(due.map(async ({ rule }) => onPoll(rule.id, await poll(rule))))),
    advance(options) {
      const one = advance(options);
      onAdvance?.(one);
      return one;
    },
    onCommit: () => undefined,
    clock,
    log,
  });
  // The pauses of a reload are for editors, which this test does not have.
  const withoutPauses: Clock = { nowMs: () => clock.nowMs(), sleep: () => Promise.resolve() };
  const reloads = createReloads({
    registry,
    scheduler,
    store,
    onRetired: () => undefined,
    onChange: () => changes++,
    clock: withoutPauses,
    log,
  });
  const stage: Stage = {
    clock,
    folder,
    store,
    registry,
    scheduler,
    reloads,
    lines,
    changes: () => changes,
    live,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    write: (file, text) => writeFile(join(folder, file), text),
    remove: (file) => rm(join(folder, file)),
    async pass(seconds) {
      for (let second = 0; second < seconds; second++) {
        await scheduler.tick();
        await clock.advance(1000);
      }
    },
    restart: () => open({ folder, store, clock, live: stage.live, poll: pollOf, onAdvance }, close),
    [Symbol.asyncDispose]: close,
  };
  await reloads.begin();
  await reloads.settled();
  return stage;
}

/** A stream of a channel. */
export function stream(handle: string, over: Readonly<Record<string, Json>> = {}): Item {
  const owner = { id: handle, handle, displayName: handle };
  return {
    id: `${handle}-1`,
    owner,
    title: 'Ranked',
    viewerCount: 900,
    startedAt: '2026-11-20T17:59:00Z',
    url: 'https://example.invalid',
    ...over,
  };
}

/** A rule that keeps a card for each stream. */
export function cardRule(
  id: string,
  {
    text = 'is live',
    step = 'card',
    channel = 'live',
    more = '',
  }: { readonly text?: string; readonly step?: string; readonly channel?: string; readonly more?: string } = {},
): string {
  return `id: ${id}
${more}when: { every: 10s, watch: streaming.getStreams, with: { users: [ada, grace] }, first: fire, grace: 1m }
then:
  - id: ${step}
    do: discord.send
    with: { channel: ${channel}, content: "\${{ item.owner.displayName }} ${text}" }
finally:
  - do: discord.edit
    with: { message: "\${{ steps.${step}.id }}", content: over }
`;
}

/** The committed deliveries, for example `live discord.send pending`. Withdrawn ones of a deleted rule are not due yet. */
export async function deliveries(store: Store): Promise<readonly string[]> {
  const { items } = await store.deliveryLog.list({ limit: 100 });
  return items.toReversed().map((one) => `${one.rule} ${one.do} ${one.withdrawn ? 'withdrawn' : one.state}`);
}

/** Marks all pending deliveries as sent. */
export async function sendAll(store: Store, clock: ManualClock): Promise<void> {
  const { items } = await store.deliveryLog.list({ state: 'pending', limit: 100 });
  for (const delivery of items.toReversed()) {
    const [began, ended] = [new Date(clock.nowMs()), new Date(clock.nowMs())];
    const sending = await store.deliveries.change(delivery, {
      state: 'sending',
      attempts: 1,
      since: began,
      attemptedAt: began,
      params: {},
    });
    const url = `https://discord.com/${delivery.rule}`;
    if (sending) await store.deliveries.change(sending, { state: 'sent', sentAt: ended, result: { id: `live/${delivery.rule}`, url } });
  }
}
