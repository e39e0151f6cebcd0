import { expect, test } from 'vitest';
import { explainItem } from '#src/admin/queries/explain-item.ts';
import { explainMessage } from '#src/admin/queries/explain-message.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { ReplayEvent } from '#src/engine/simulation/replay/replay-view.ts';
import { isRead } from '#src/engine/delivery/is-read.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import { NO_LISTS } from '#src/rules/lists.ts';
import { fc, runs } from '../../../support/property.ts';
import { earlyStops, faultsIn, FOR_MS, pollFaults, randomSource, ruleOf, SCHEDULE, seenIn, worlds, type World } from './random-history.ts';
import { run, type Stage } from './replay-fixture.ts';

const RUNS = runs(2, 12);
/** A history with an announcement, an earlier and a later rule. A few random histories may have none. */
const [BEFORE, AFTER] = ['card', 'post'].map(
  (text) => `id: r
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace, linus] } }
then: [{ do: discord.send, with: { channel: live, content: "${text} \${{ item.title }}" } }]
while: [{ do: discord.send, every: 3m, with: { channel: live, content: "still \${{ item.viewerCount }}" } }]
`,
) as [string, string]; // two texts
const ADA: World[number][number] = { handle: 'ada', title: 'One', viewerCount: 60, language: 'en' };
const WORLD: World = [[], [ADA], [ADA], [ADA], [ADA], []];
const refusals = fc.array(fc.constantFrom(undefined, undefined, undefined, 'rejected'), { minLength: 1, maxLength: 20 });

/** In a replay, a question that was not asked gets its first choice. In reality, it gets another one, later. */
const withoutQuestions = randomSource.filter((source) => !source.includes('discord.ask'));

async function deliveriesOf({ store }: Stage): Promise<readonly Delivery[]> {
  return (await store.deliveryLog.list({ rule: 'r', limit: 5_000 })).items;
}

/** For example `18:01:00 then discord.send discord {"content":"hi"}`, without ids and addresses, which differ each time. */
function formatSent(atMs: number, section: string, verb: string, account: string, text: string): string {
  return `${new Date(atMs).toISOString().slice(11, 19)} ${section} ${verb} ${account} ${text}`;
}

async function hasWaiting(stage: Stage): Promise<boolean> {
  return (await deliveriesOf(stage)).some(({ state, since }) => state === 'pending' && !since);
}

async function sentBy(stage: Stage): Promise<readonly string[]> {
  const all = (await deliveriesOf(stage)).filter(({ state, do: verb }) => state === 'sent' && verb !== 'discord.edit');
  const slots = await stage.store.deliveryLog.slotsMs(all.map(({ firing }) => firing));
  return all
    .map(({ firing, section, do: verb, account, params }) => {
      const text = params?.['content'] ?? params?.['text'];
      return formatSent(slots.get(firing) ?? 0, section, verb, account, typeof text === 'string' ? text : '');
    })
    .toSorted();
}

function expectedIn(events: readonly ReplayEvent[]): readonly string[] {
  return events
    .filter(({ kind, do: verb }) => kind !== 'fewer' && verb !== 'discord.edit')
    .map(({ at, position, do: verb, account, expected = [] }) =>
      formatSent(at.getTime(), position.section, verb, account, expected.filter((line) => !line.startsWith('#')).join('\n')),
    )
    .toSorted();
}

test('the replay of an edited rule expects what the edited rule would have sent in the same world', async () => {
  let sent = 0;

  await fc.assert(
    fc.asyncProperty(randomSource, withoutQuestions, worlds, pollFaults, earlyStops, async (before, after, world, faults, disturbances) => {
      const schedule = SCHEDULE.exec(before)?.[0] ?? '';
      const edited = ruleOf(after.replace(SCHEDULE, schedule));
      // Nothing changes between two slots, because the polls of the edited rule between them are not recorded.
      const periodMs = schedule.includes('30s') ? 30_000 : schedule.includes('1m') ? 60_000 : 120_000;
      const options = { seen: seenIn(world, periodMs), pollFault: faultsIn(faults, periodMs), disturbances, forMs: FOR_MS };
      await using history = await run({ rules: [ruleOf(before)], ...options });
      await using reality = await run({ rules: [edited], ...options });

      const { events } = await history.replay(edited);

      const real = await sentBy(reality);
      const [shown, settled] = [expectedIn(events).filter(isSettled), real.filter(isSettled)];
      // A message that has not begun can be the same as one of the replay, which then shows neither.
      const wanted = (await hasWaiting(history)) ? shown.filter((line) => settled.includes(line)) : settled;
      expect(shown).toEqual(wanted);
      sent += real.length;
    }),
    { numRuns: RUNS, examples: [[BEFORE, AFTER, WORLD, [undefined], []]] },
  );
  expect(sent).toBeGreaterThan(0);
});

/** Near its end, a replay waits for polls that may not be recorded yet. */
function isSettled(line: string): boolean {
  return line < '18:09';
}

test('each decision that fired names its deliveries and their outcome, and each message names its decision', async () => {
  let explained = 0;

  await fc.assert(
    fc.asyncProperty(randomSource, worlds, refusals, fc.boolean(), async (source, world, refused, isHeard) => {
      const rule = ruleOf(source);
      const options = { refuses: (n: number) => refused[n % refused.length], answers: () => isHeard, forMs: FOR_MS };
      await using stage = await run({ rules: [rule], seen: seenIn(world, 20_000), ...options });
      const { store } = stage;
      const deliveries = await deliveriesOf(stage);

      for (const handle of ['ada', 'grace', 'linus']) {
        const { rules } = await explainItem(handle, { rules: [rule], isOn: () => true, store, lists: NO_LISTS, limit: 1_000 });
        for (const { outcome, details, unsent } of rules.flatMap(({ decisions }) => decisions)) {
          if (outcome !== 'fired') continue;
          const ofFiring = deliveries.filter(({ firing, reason }) => firing === details?.['firing'] && reason?.kind !== 'forEachDone');
          expect(unsent?.state).toBe(worstOf(ofFiring));
          explained++;
        }
        const firings = new Set(rules.flatMap(({ decisions }) => decisions.map(({ details }) => details?.['firing'])));
        const about = deliveries.filter(({ section, item }) => section === 'then' && item?.name === handle);
        expect(about.filter(({ firing }) => !firings.has(firing))).toEqual([]);
      }
      for (const { id, result, creates, state } of deliveries) {
        if (state !== 'sent' || !creates || !isJsonObject(result)) continue;
        const { id: sent } = result;
        if (typeof sent !== 'string') throw new Error('a message has no id');
        const message = { message: sent, server: undefined };
        const { origins } = await explainMessage(message, { accounts: [], rules: [rule], store });
        expect(origins.map(({ delivery }) => delivery.id)).toContain(id);
        expect(origins[0]?.decision).toBeDefined();
      }
    }),
    { numRuns: RUNS, examples: [[BEFORE, WORLD, [undefined, 'rejected'], true]] },
  );
  expect(explained).toBeGreaterThan(0);
});

/** The state that the decision must name; undefined: all messages are `sent` or `skipped` and at least one is sent, or there are none. */
function worstOf(deliveries: readonly Delivery[]): string | undefined {
  const states = deliveries.filter(({ do: verb, state }) => !(state === 'sent' && isRead(verb))).map(({ state }) => state);
  for (const state of ['failed', 'unknown', 'asked', 'pending', 'sending'] as const)
    if (states.includes(state)) return state === 'sending' ? 'pending' : state;
  return states.length > 0 && states.every((state) => state === 'skipped') ? 'skipped' : undefined;
}
