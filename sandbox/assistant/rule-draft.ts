import type { Intent } from './intent.ts';

/** The draft of a rule about a subject of the world. */
export function draftedRule({ about, words }: Intent): string {
  const [id, ...lines] = linesFor(about);
  return [`id: ${id}`, `about: ${JSON.stringify(words === '' ? 'Written by the assistant.' : words)}`, ...lines, ''].join('\n');
}

/** The tests of the draft; undefined if the rule watches nothing. */
export function testsOf({ about }: Intent): string | undefined {
  if (!about || (about.kind !== 'game' && about.kind !== 'person')) return undefined;
  const expectedAt = about.kind === 'game' ? '15m' : '5m';
  return [
    `rule: ${linesFor(about)[0]}`,
    'start: 2026-11-20T18:00:00Z',
    'cases:',
    '  - it: announces new streams only',
    '    polls:',
    '      - { at: 0s, items: [{ key: ada }] }',
    ...['5m', '10m', '15m'].map((at) => `      - { at: ${at}, items: [{ key: ada }, { key: grace }] }`),
    '    expect:',
    `      - { at: ${expectedAt}, do: discord.send, with: { content: "/grace/" } }`,
    '',
  ].join('\n');
}

function linesFor(about: Intent['about']): readonly [id: string, ...lines: string[]] {
  if (about?.kind === 'game') {
    return [
      `top-of-${slug(about.name)}`,
      'when:',
      '  every: 5m',
      '  watch: streaming.getGameStreams',
      `  with: { game: ${JSON.stringify(about.name)} }`,
      '  take: 3',
      '  settle: 10m',
      'cooldown: 6h',
      ...send('${{ item.owner.displayName }} is among the first of ${{ item.game.name }}: ${{ item.url }}'),
    ];
  }
  if (about?.kind === 'person') {
    return [
      `live-${slug(about.name)}`,
      'when:',
      '  every: 5m',
      '  watch: streaming.getStreams',
      `  with: { users: [${JSON.stringify(about.name)}] }`,
      '  grace: 15m',
      ...send('${{ item.owner.displayName }} is live: ${{ item.url }}'),
    ];
  }
  return ['every-morning', 'when:', '  cron: "0 9 * * *"', '  timezone: UTC', ...send('Good morning!')];
}

function send(content: string): readonly string[] {
  return ['then:', '  - do: discord.send', '    with:', '      channel: live', `      content: ${JSON.stringify(content)}`];
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
}
