import { expect, test } from 'vitest';
import { explainItem } from '#src/admin/queries/explain-item.ts';
import { explainMessage } from '#src/admin/queries/explain-message.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { isRead } from '#src/engine/delivery/is-read.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import { NO_LISTS } from '#src/rules/lists.ts';
import { fc, runs } from '../../../support/property.ts';
import {
  earlyStops,
  faultsIn,
  FOR_MS,
  periodOf,
  pollFaults,
  randomSource,
  ruleOf,
  SCHEDULE,
  seenIn,
  withoutQuestions,
  worlds,
  type World,
} from './random-history.ts';
import { deliveriesOf, expectedIn, hasWaiting, isSettled, sentBy } from './random-messages.ts';
import { run } from './replay-fixture.ts';

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

test('the replay of an edited rule expects what the edited rule would have sent in the same world', async () => {
  let sent = 0;

  await fc.assert(
    fc.asyncProperty(randomSource, withoutQuestions, worlds, pollFaults, earlyStops, async (before, after, world, faults, early) => {
      const schedule = SCHEDULE.exec(before)?.[0] ?? '';
      const edited = ruleOf(after.replace(SCHEDULE, schedule));
      // Nothing changes between two slots, because the polls of the edited rule between them are not recorded.
      const periodMs = periodOf(schedule);
      // A replay finds a stop by polls that are missing, so it needs the time between two polls before it.
      const disturbances = early.map((stop) => ({ ...stop, afterMs: stop.afterMs + periodMs }));
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
