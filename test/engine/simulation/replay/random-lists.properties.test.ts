import { expect, test } from 'vitest';
import type { Lists } from '#src/rules/lists.ts';
import { fc, runs } from '../../../support/property.ts';
import { FOR_MS, periodOf, ruleOf, SCHEDULE, seenIn, withoutQuestions, worlds, type World } from './random-history.ts';
import { expectedIn, hasWaiting, isSettled, sentBy } from './random-messages.ts';
import { run, type StageOptions } from './replay-fixture.ts';

type Stream = World[number][number];

const RUNS = runs(2, 12);
const HANDLES = ['ada', 'grace', 'linus'];
const TITLE = '${{ item.title }}';
const LINE = "${{ lists.team[?item.owner.handle].line.orValue('none') }}";

/** The state of the list from a time on. Names are only removed: no poll before an added name asked for it. */
const edits = fc
  .record({
    names: fc.shuffledSubarray(HANDLES, { minLength: 1, maxLength: 2 }),
    lines: fc.array(fc.constantFrom('hi', 'hello', 'welcome'), { minLength: 1, maxLength: 3 }),
    everyMs: fc.constantFrom(50_000, 130_000, 190_000),
  })
  .map(({ names, lines, everyMs }) =>
    [
      listsOf(HANDLES, 'first'),
      ...lines.map((line, index) => listsOf(index < lines.length - 1 ? HANDLES : HANDLES.filter((name) => names.includes(name)), line)),
    ].map((lists, index) => ({ atMs: index * everyMs, lists })),
  );

function listsOf(handles: readonly string[], line: string): Lists {
  const entries = handles.map((id) => ({ id, list: 'team', server: undefined, fields: { line } }));
  return { revision: `${handles.join()} ${line}`, entries: (list) => (list === 'team' ? entries : []), names: () => ['team'] };
}

/** The rule with the people of the list, and a line of each person in its texts. */
function withList(source: string): string {
  return source.replaceAll('users: [ada, grace, linus]', 'users: "${{ lists.team.map(p, p.id) }}"').replaceAll(TITLE, `${TITLE} ${LINE}`);
}

/** A history with an announcement before the list changes, and another one after it. A few random histories may have none. */
const RULE = `id: r
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace, linus] } }
then: [{ do: discord.send, with: { channel: live, content: "${TITLE}" } }]
`;
const [ADA, GRACE] = ['ada', 'grace'].map((handle) => ({ handle, title: 'One', viewerCount: 60, language: 'en' })) as [Stream, Stream]; // two names
const WORLD: World = [[], [ADA], [ADA], [ADA], [ADA, GRACE], [ADA, GRACE], []];
const STATES = [
  { atMs: 0, lists: listsOf(HANDLES, 'first') },
  { atMs: 190_000, lists: listsOf(['ada'], 'hi') },
];

/** A world that answers with the streams of the names in the query. */
function askedIn(seen: StageOptions['seen']): StageOptions['seen'] {
  return (query, afterMs) => {
    const { users } = query.params;
    return seen(query, afterMs).filter(({ id }) => Array.isArray(users) && users.includes(id));
  };
}

test('the replay of a rule expects what the rule would have sent with the present entries of its list', async () => {
  let sent = 0;

  await fc.assert(
    fc.asyncProperty(withoutQuestions.map(withList), worlds, edits, async (source, world, states) => {
      const options = { rules: [ruleOf(source)], seen: askedIn(seenIn(world, periodOf(SCHEDULE.exec(source)?.[0] ?? ''))), forMs: FOR_MS };
      const [first] = states;
      if (!first) throw new Error('there is no list');
      const at = (afterMs: number): Lists => states.findLast(({ atMs }) => atMs <= afterMs)?.lists ?? first.lists;
      await using history = await run({ ...options, lists: at });
      await using reality = await run({ ...options, lists: () => at(FOR_MS) });
      const [rule] = history.rules;
      if (!rule) throw new Error('there is no rule');

      const { events } = await history.replay(rule);

      const real = await sentBy(reality);
      const [shown, settled] = [expectedIn(events).filter(isSettled), real.filter(isSettled)];
      const wanted = (await hasWaiting(history)) ? shown.filter((line) => settled.includes(line)) : settled;
      expect(shown).toEqual(wanted);
      sent += real.length;
    }),
    { numRuns: RUNS, examples: [[withList(RULE), WORLD, STATES]] },
  );
  expect(sent).toBeGreaterThan(0);
});
