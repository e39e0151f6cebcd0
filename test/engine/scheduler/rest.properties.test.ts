import { expect, test } from 'vitest';
import type { Item } from '#src/rules/poll.ts';
import { aStep, condition, MINUTE, START_MS, stream, type RuleOptions } from '../../rules/evaluate/fixture.ts';
import { fc, runs } from '../../support/property.ts';
import { rule, start } from './rest-fixture.ts';

const someRule = fc
  .record({
    changes: fc.constantFrom<RuleOptions>(
      {},
      { watched: { changes: [{ kind: 'entered' }, { kind: 'left' }] } },
      { watched: { changes: [{ kind: 'changed', fields: ['title'] }], decidingFields: ['title'] } },
      { finally: [aStep({ do: 'discord.edit' })] },
      { watched: { where: condition('item.title != "2"', ({ item }) => item?.['title'] !== '2'), decidingFields: ['title'] } },
      { quiet: { fromMinute: 18 * 60 + 10, toMinute: 18 * 60 + 16, timezone: 'UTC', then: 'hold' } },
    ),
    watched: fc.record({
      confirm: fc.constantFrom({ new: 1, gone: 1 }, { new: 2, gone: 2 }),
      graceMs: fc.constantFrom(0, 3 * MINUTE),
      settleMs: fc.constantFrom(0, 2 * MINUTE),
      first: fc.constantFrom<'silent' | 'fire'>('silent', 'fire'),
    }),
    withinMs: fc.constantFrom(undefined, MINUTE, 3 * MINUTE, 7.5 * MINUTE, 20 * MINUTE),
    cooldown: fc.constantFrom<RuleOptions>({}, { cooldown: { forMs: 5 * MINUTE, per: 'item' } }),
  })
  .map(({ changes, watched, withinMs, cooldown }) =>
    rule({ ...changes, ...cooldown, withinMs, watched: { ...watched, ...changes.watched } }),
  );

/** The times at which a channel changes: it begins, ends, or has another title. */
const someChanges = fc.array(
  fc.record({
    afterS: fc.integer({ min: 10, max: 900 }),
    name: fc.constantFrom('ada', 'grace'),
    to: fc.constantFrom<string | undefined>(undefined, '1', '2'),
  }),
  { maxLength: 8 },
);

/** The list that the platform shows at a time, by the changes before it. */
function worldOf(changes: readonly { readonly afterS: number; readonly name: string; readonly to: string | undefined }[]) {
  let atMs = START_MS;
  const last = new Map<string, string | undefined>();
  const timeline = changes.map(({ afterS, ...change }) => {
    const isPresence = (last.get(change.name) === undefined) !== (change.to === undefined);
    last.set(change.name, change.to);
    return { ...change, isPresence, atMs: (atMs += afterS * 1_000) };
  });
  const shown = (nowMs: number): readonly Item[] =>
    ['ada', 'grace'].flatMap((name) => {
      const past = timeline.filter((one) => one.atMs <= nowMs && one.name === name);
      const title = past.at(-1)?.to;
      const begun = past.findLastIndex(({ to }, index) => to !== undefined && past[index - 1]?.to === undefined);
      const id = `${name}-${begun}`;
      return title === undefined ? [] : [stream(name, { id, title, startedAt: new Date(past[begun]?.atMs ?? 0).toISOString() })];
    });
  return { timeline, shown };
}

test('with notifications, a rule at rest announces the same at the same times as one that is polled at each slot', async () => {
  let spared = 0;
  await fc.assert(
    fc.asyncProperty(someRule, someChanges, fc.boolean(), fc.boolean(), async (watching, changes, isWhole, isPresenceOnly) => {
      const { timeline, shown } = worldOf(changes);
      const [rested, polled] = await Promise.all(
        [true, false].map(async (isNotified) => {
          const covered = ['ada', 'grace'];
          const stage = await start({
            rule: watching,
            shown,
            isNotified,
            ...(isPresenceOnly ? { names: [], presenceOnly: covered } : { names: covered }),
          });
          for (const { atMs, name, isPresence } of timeline) {
            await stage.until((atMs - START_MS) / MINUTE);
            if (isPresence || !isPresenceOnly) await stage.scheduler.hurry([{ rule: 'card', names: isWhole ? undefined : [name] }]);
          }
          await stage.until((stage.clock.nowMs() - START_MS) / MINUTE + 25);
          const announced = stage.commits.flatMap(({ slotMs, decisions, firings, withdrawals }) => [
            ...decisions.filter(({ outcome }) => outcome !== 'unchanged').map((decision) => ({ slotMs, ...decision })),
            ...firings,
            ...withdrawals,
          ]);
          // A rule that reads the number of polls does not rest, and one that reads ranks has no polls of some names.
          // A slot that is due at the instant of a hint serves it, and only a rest leaves the hint to its own poll.
          const text = JSON.stringify(announced).replaceAll(/"(?:polls|rank)":\d+,?|(?: at| is) #\d+|,?"noticedBy":"notification"/gu, '');
          // A rule that does not read titles announces with the title of its last poll.
          const readsTitles = watching.watched?.decidingFields?.includes('title') === true;
          return { polls: stage.polls.length, announced: readsTitles ? text : text.replaceAll(/"title":"\d"/gu, '') };
        }),
      );
      spared += (polled?.polls ?? 0) - (rested?.polls ?? 0);
      expect(rested?.announced).toEqual(polled?.announced);
    }),
    { numRuns: runs(10, 500) },
  );
  expect(spared).toBeGreaterThan(runs(10, 500));
});

test('if notifications stop without an error, no poll of a name is later than within after the one before it', async () => {
  await fc.assert(
    fc.asyncProperty(someRule, someChanges, fc.integer({ min: 0, max: 8 }), fc.boolean(), async (watching, changes, heard, isWhole) => {
      const { timeline, shown } = worldOf(changes);
      const stage = await start({ rule: watching, shown });
      for (const { atMs, name } of timeline.slice(0, heard)) {
        await stage.until((atMs - START_MS) / MINUTE);
        await stage.scheduler.hurry([{ rule: 'card', names: isWhole ? undefined : [name] }]);
      }
      await stage.until(60 + 3 * changes.length);
      // An independent model: `within`, or ten intervals, but at least the interval.
      const longest = Math.max(1, (watching.withinMs ?? 10 * MINUTE) / MINUTE);
      for (const name of ['ada', 'grace']) {
        const polls = stage.asked.flatMap(({ at, names }) => (names?.includes(name) === false ? [] : [at]));
        const apart = polls.slice(1).map((at, index) => at - (polls[index] ?? 0));
        expect(Math.max(...apart)).toBeLessThanOrEqual(longest);
      }
    }),
    { numRuns: runs(10, 500) },
  );
});
