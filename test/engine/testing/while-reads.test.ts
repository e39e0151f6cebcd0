import { expect, test } from 'vitest';
import { runCases } from './cases.ts';

/** A rule with a card whose edits read look-ups. */
function card(steps: string): string {
  return `id: x
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - { id: card, do: discord.send, with: { channel: live, content: live } }
while:
${steps}`;
}

const VIDEOS = '  - { id: videos, do: streaming.getUserVideos, with: { user: "${{ item.owner.handle }}" } }';
const EDIT =
  '  - { do: discord.edit, with: { message: "${{ steps.card.id }}", content: "${{ steps.videos.items.map(v, v.title).join(\',\')}}" } }';

interface Story {
  readonly what: string;
  readonly steps: string;
  /** The lines from the second poll with the item on, and the messages besides the card. */
  readonly lines: string;
  readonly expected: string;
}

const STORIES: readonly Story[] = [
  {
    what: 'runs at each poll, and an edit with an equal result is not sent',
    steps: `${VIDEOS}\n${EDIT}`,
    lines: `
        - { at: 2m, items: [{ key: ada }], answers: { videos: [{ title: one }] } }
        - { at: 3m, items: [{ key: ada }] }
        - { at: 4m, items: [{ key: ada }], answers: { videos: [{ title: two }] } }
        - { at: 5m, items: [{ key: ada }] }`,
    expected: `
        - { at: 2m, do: streaming.getUserVideos }
        - { at: 2m, do: discord.edit, with: { content: one } }
        - { at: 3m, do: streaming.getUserVideos }
        - { at: 4m, do: streaming.getUserVideos }
        - { at: 4m, do: discord.edit, with: { content: two } }
        - { at: 5m, do: streaming.getUserVideos }`,
  },
  {
    what: 'that fails changes neither the card nor its picture',
    steps: `${VIDEOS}
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", embed: { title: live, image: "\${{ steps.videos.items[0].thumbnailUrl }}" } } }`,
    lines: `
        - { at: 2m, items: [{ key: ada }], answers: { videos: [{ thumbnailUrl: "https://p.test/1" }] } }
        - { at: 3m, items: [{ key: ada }], fail: [videos.twitch] }
        - { at: 4m, items: [{ key: ada }] }
        - { at: 5m, items: [{ key: ada }], answers: { videos: [{ thumbnailUrl: "https://p.test/2" }] } }`,
    expected: `
        - { at: 2m, do: discord.edit, with: { embed: { image: "https://p.test/1" } } }
        - { at: 5m, do: discord.edit, with: { embed: { image: "https://p.test/2" } } }`,
  },
  {
    what: 'that reads another one',
    steps: `  - { id: user, do: streaming.getUser, with: { user: ada } }
  - { id: videos, do: streaming.getUserVideos, with: { user: "\${{ steps.user.handle }}" } }
${EDIT}`,
    lines: `
        - { at: 2m, items: [{ key: ada }], answers: { user: { handle: a }, videos: [{ title: one }] } }
        - { at: 3m, items: [{ key: ada }] }
        - { at: 4m, items: [{ key: ada }], answers: { videos: [{ title: two }] } }`,
    expected: `
        - { at: 2m, do: discord.edit, with: { content: one } }
        - { at: 3m, do: streaming.getUser }
        - { at: 3m, do: streaming.getUserVideos, with: { user: a } }
        - { at: 4m, do: discord.edit, with: { content: two } }`,
  },
  {
    what: 'for each element of a list',
    steps: `  - { id: videos, do: streaming.getUserVideos, forEach: "['a', 'b']", with: { user: "\${{ it }}" } }
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ steps.videos.map(one, string(one.items.size())).join(' ') }}" } }`,
    lines: `
        - { at: 2m, items: [{ key: ada }], answers: { videos: [{ title: one }] } }
        - { at: 3m, items: [{ key: ada }] }
        - { at: 4m, items: [{ key: ada }], answers: { videos: [{ title: one }, { title: two }] } }`,
    expected: `
        - { at: 2m, do: discord.edit, with: { content: 1 1 } }
        - { at: 4m, do: discord.edit, with: { content: 2 2 } }`,
  },
  {
    what: 'of the assistant is repeated only for another question, and its last answer stays',
    steps: `  - { id: line, do: assistant.ask, with: { text: "Describe \${{ item.title }}" } }
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ steps.line.message.text }} \${{ item.viewerCount }}" } }`,
    lines: `
        - { at: 2m, items: [{ key: ada, title: Chess, viewerCount: 1 }], answers: { line: { message: { text: a game } } } }
        - { at: 3m, items: [{ key: ada, title: Chess, viewerCount: 2 }] }
        - { at: 4m, items: [{ key: ada, title: Go, viewerCount: 2 }], answers: { line: { message: { text: stones } } } }`,
    expected: `
        - { at: 2m, do: assistant.ask }
        - { at: 2m, do: discord.edit, with: { content: a game 1 } }
        - { at: 3m, do: discord.edit, with: { content: a game 2 } }
        - { at: 4m, do: assistant.ask, with: { text: Describe Go } }
        - { at: 4m, do: discord.edit, with: { content: stones 2 } }`,
  },
];

test.for(STORIES)('a look-up in while: $what', async ({ steps, lines, expected }) => {
  const report = await runCases(
    card(steps),
    `
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ key: ada }] }${lines}
      expect:
        - { at: 1m, do: discord.send }${expected}`,
  );

  expect(report.join('\n')).toMatch(/^✓ works/u);
});
