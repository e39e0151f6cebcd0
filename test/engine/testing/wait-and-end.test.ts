import { expect, test } from 'vitest';
import { runCases } from './cases.ts';

/** A rule with a card, and a `wait` of two hours in `then`. */
function live(late: string, more = ''): string {
  return `id: x
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, confirm: { gone: 1 } }
${more}
then:
  - { id: card, do: discord.send, with: { channel: live, content: "LIVE \${{ item.id }}" } }
  - wait: 2h
${late}
finally:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "was live" } }`;
}

const POST = (more = '') => `  - { id: late, do: discord.send, with: { channel: live, content: "two hours \${{ item.id }}" }${more} }`;
const DELETE = '  - { do: discord.delete, with: { message: "${{ steps.card.id }}" } }';

/** The first stream ends after twelve minutes; the second one begins within the wait. */
const TWO_STREAMS = `
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada, id: s1 }] }
        - { at: 13m, items: [] }
        - { at: 60m, items: [{ key: ada, id: s2 }] }
        - { at: 240m, items: [{ key: ada, id: s2 }] }`;

const OPENINGS = `
        - { at: 1m, do: discord.send, with: { content: LIVE s1 } }
        - { at: 13m, do: discord.edit, with: { content: was live } }
        - { at: 60m, do: discord.send, with: { content: LIVE s2 } }`;

interface Story {
  readonly what: string;
  readonly rule: string;
  readonly polls?: string;
  readonly expected: string;
}

const STORIES: readonly Story[] = [
  ...(['queued', 'single', 'parallel'] as const).map((mode) => ({
    what: `with mode ${mode}, a wait delays neither the end nor the next episode, and the post of an ended episode is withdrawn`,
    rule: live(POST(), `mode: ${mode}`),
    expected: `${OPENINGS}
        - { at: 180m, do: discord.send, with: { content: two hours s2 } }`,
  })),
  {
    what: 'with mode restart, the next episode replaces waiting steps',
    rule: live(DELETE, 'mode: restart'),
    expected: `${OPENINGS}
        - { at: 180m, do: discord.delete, with: { message: card-2 } }`,
  },
  {
    what: 'with afterEnd, the post of an ended episode is sent',
    rule: live(POST(', afterEnd: true')),
    expected: `${OPENINGS}
        - { at: 121m, do: discord.send, with: { content: two hours s1 } }
        - { at: 180m, do: discord.send, with: { content: two hours s2 } }`,
  },
  {
    what: 'a deletion that waits still runs after the end',
    rule: live(DELETE),
    expected: `${OPENINGS}
        - { at: 121m, do: discord.delete, with: { message: card-1 } }
        - { at: 180m, do: discord.delete, with: { message: card-2 } }`,
  },
  {
    what: 'an edit that waits runs after the end with the item of the firing and the current episode.open',
    rule: live('  - { do: discord.edit, with: { message: "${{ steps.card.id }}", content: "${{ item.id }} ${{ episode.open }}" } }'),
    expected: `${OPENINGS}
        - { at: 121m, do: discord.edit, with: { message: card-1, content: s1 false } }
        - { at: 180m, do: discord.edit, with: { message: card-2, content: s2 true } }`,
  },
  {
    what: 'if: episode.open skips an edit that waits',
    rule: live('  - { do: discord.edit, if: episode.open, with: { message: "${{ steps.card.id }}", content: "two hours" } }'),
    expected: `${OPENINGS}
        - { at: 180m, do: discord.edit, with: { message: card-2, content: two hours } }`,
  },
  {
    what: 'a step of finally that reads a step after a wait waits for it, and no other step does',
    rule: `${live(POST(', afterEnd: true'))}
  - { id: mark, do: discord.edit, with: { message: "\${{ steps.late.id }}", content: "over" } }
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "closed" } }`,
    expected: `
        - { at: 1m, do: discord.send, with: { content: LIVE s1 } }
        - { at: 13m, do: discord.edit, with: { content: was live } }
        - { at: 13m, do: discord.edit, with: { content: closed } }
        - { at: 60m, do: discord.send, with: { content: LIVE s2 } }
        - { at: 121m, do: discord.send, with: { content: two hours s1 } }
        - { at: 121m, do: discord.edit, with: { message: late-1, content: over } }
        - { at: 180m, do: discord.send, with: { content: two hours s2 } }`,
  },
  {
    what: 'with mode single, a deletion that waits does not suppress the next episode',
    rule: live(DELETE, 'mode: single'),
    expected: `${OPENINGS}
        - { at: 121m, do: discord.delete, with: { message: card-1 } }
        - { at: 180m, do: discord.delete, with: { message: card-2 } }`,
  },
  {
    what: 'a wait delays no edit of while',
    rule: `${live(POST())}
while:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ item.viewerCount }} viewers" } }
  - { do: discord.edit, with: { message: "\${{ steps.late.id }}", content: "\${{ item.viewerCount }} viewers" } }`,
    polls: `
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada, id: s1, viewerCount: 1 }] }
        - { at: 2m, items: [{ key: ada, id: s1, viewerCount: 2 }] }
        - { at: 60m, items: [{ key: ada, id: s1, viewerCount: 3 }] }
        - { at: 122m, items: [{ key: ada, id: s1, viewerCount: 4 }] }`,
    expected: `
        - { at: 1m, do: discord.send }
        - { at: 2m, do: discord.edit, with: { message: card-1, content: 2 viewers } }
        - { at: 60m, do: discord.edit, with: { message: card-1, content: 3 viewers } }
        - { at: 121m, do: discord.send }
        - { at: 121m, do: discord.edit, with: { message: late-1, content: 3 viewers } }
        - { at: 122m, do: discord.edit, with: { message: card-1, content: 4 viewers } }
        - { at: 122m, do: discord.edit, with: { message: late-1, content: 4 viewers } }`,
  },
];

test.for(STORIES)('$what', async ({ rule, polls = TWO_STREAMS, expected }) => {
  const report = await runCases(rule, `\n      polls:${polls}\n      expect:${expected}`);

  expect(report.join('\n')).toMatch(/^✓ works/u);
});
