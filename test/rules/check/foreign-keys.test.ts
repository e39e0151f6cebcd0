import { describe, expect, test } from 'vitest';
import { check } from '../../support/rule-language.ts';

/** The paths and hints of unknown keys, and the messages of all other errors. */
function diagnosticsIn(source: string): { readonly hints: Readonly<Record<string, string>>; readonly others: readonly string[] } {
  const { diagnostics } = check(source);
  const unknown = diagnostics.filter(({ code }) => code === 'unknown-key');
  return {
    hints: Object.fromEntries(unknown.map(({ path, hint = '' }) => [path, hint])),
    others: diagnostics.filter(({ code }) => code !== 'unknown-key').map(({ message }) => message),
  };
}

test('an automation of Home Assistant gets the keys of a rule', () => {
  const { hints, others } = diagnosticsIn(`
alias: Stream is live
description: Tell Discord
triggers:
  - platform: time_pattern
conditions: []
actions:
  - service: notify.discord
`);

  expect(hints).toEqual({
    alias: 'write id: my-rule, and about: with a description (alias is a key of Home Assistant)',
    description: 'write about: with a description (description is a key of Home Assistant)',
    triggers: 'write when: { every: 1m, watch: streaming.getStreams } (triggers is a key of Home Assistant)',
    conditions: 'write if: with an expression (conditions is a key of Home Assistant)',
    actions: 'write then: with a list of steps (actions is a key of Home Assistant)',
  });
  expect(others).toEqual([]);
});

test('the keys below a key of another tool count for the rest of the rule', () => {
  const { hints, others } = diagnosticsIn(`
id: live
on: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.owner.name }} plays \${{ item.title }}" } }
finally:
  - { do: discord.send, with: { channel: live, content: over } }
`);

  expect(Object.keys(hints)).toEqual(['on']);
  expect(others).toEqual([]);
});

test('a workflow of GitHub Actions gets the keys of a rule', () => {
  const { hints, others } = diagnosticsIn(`
name: announce
on:
  schedule: [{ cron: '0 9 * * *' }]
jobs:
  build: { steps: [{ uses: actions/checkout@v4 }] }
`);

  expect(hints).toEqual({
    name: 'write id: my-rule, and about: with a description (name is a key of GitHub Actions and n8n)',
    on: 'write when: { every: 1m, watch: streaming.getStreams } (on is a key of GitHub Actions)',
    jobs: 'write then: with one list of steps (jobs is a key of GitHub Actions)',
  });
  expect(others).toEqual([]);
});

test('a workflow of n8n gets the keys of a rule', () => {
  const { hints, others } = diagnosticsIn('name: a\nnodes: []\nconnections: {}\nwhen: { every: 1m }\n');

  expect(hints).toMatchObject({
    nodes: 'write then: with a list of steps (nodes is a key of n8n)',
    connections: 'remove it: the steps in then run in order (connections is a key of n8n)',
  });
  expect(others).toEqual([]);
});

describe('words of other tools', () => {
  test.for([
    ['when: { interval: 5m }', 'when.interval', 'write every: 5m (interval is a key of n8n)'],
    [
      'when: { every: 1m, platform: twitch }',
      'when.platform',
      'write watch: with an operation, for example streaming.getStreams (platform is a key of Home Assistant)',
    ],
    ['when: { every: 1m, for: 5m }', 'when.for', 'write settle: 5m (for is a key of Home Assistant)'],
    [
      'then: [{ action: x }]',
      'then[0].action',
      'write do: with an operation, for example discord.send (action is a key of Home Assistant)',
    ],
    [
      'then: [{ uses: x, with: {} }]',
      'then[0].uses',
      'write do: with an operation, for example discord.send (uses is a key of GitHub Actions)',
    ],
    ['while: [{ do: discord.send, data: {} }]', 'while[0].data', 'write with: with the parameters (data is a key of Home Assistant)'],
    ['then: [{ delay: 5m }]', 'then[0].delay', 'write a separate step - wait: 5m (delay is a key of Home Assistant)'],
    [
      'finally: [{ do: discord.send, needs: build }]',
      'finally[0].needs',
      'remove it: the steps run in order (needs is a key of GitHub Actions)',
    ],
    [
      'quiet: { from: "23:00", to: "08:00", then: [{ service: x }] }',
      'quiet.then[0].service',
      'write do: with an operation, for example discord.send (service is a key of Home Assistant)',
    ],
  ] as const)('%s', ([lines, path, hint]) => {
    const { hints, others } = diagnosticsIn(`id: r\n${lines}\n`);

    expect(hints[path]).toBe(hint);
    expect(others).not.toContain('do is missing');
    expect(others).not.toContain('when needs every, cron or at');
  });

  test.for([
    ['between', 'quiet: '],
    ['weekdays', 'if: '],
    ['notify', 'then: '],
    ['throttle', 'cooldown: '],
    ['rateLimit', 'limit: '],
    ['disabled', 'enabled: '],
    ['interval', 'when: '],
  ] as const)('%s gets a line that is valid in its place', ([word, key]) => {
    const lines = {
      when: 'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, grace: 15m }',
      then: 'then: [{ do: discord.send, with: { channel: live, content: Hello } }]',
    };
    const { hints } = diagnosticsIn(`id: r\n${lines.when}\n${lines.then}\n${word}: x\n`);
    const [, line = ''] = /^write (.*?)(?:, with 0 for Sunday| with the hours without announcements)?$/u.exec(hints[word] ?? '') ?? [];
    const others = Object.entries(lines).flatMap(([name, one]) => (`${name}: ` === key ? [] : [one]));

    expect(line.startsWith(key)).toBe(true);
    const withUsers = line.replace('streaming.getStreams }', 'streaming.getStreams, with: { users: [ada] } }');
    expect(check(['id: r', ...others, withUsers].join('\n')).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test.for([
    ['when: { every: 1m, unless: x }', 'when.unless', 'write where: "!(…)" with the opposite condition'],
    ['when: { time: "09:00" }', 'when.time', "write cron: '0 9 * * *' for each day at nine"],
    ['then: [{ do: discord.send, to: live }]', 'then[0].to', 'write it in with: { channel: … }'],
    [
      'then: [{ do: social.createPost, platform: mastodon }]',
      'then[0].platform',
      'write as: with an account; the channel belongs in with:',
    ],
    ['then: [{ do: discord.send, params: {} }]', 'then[0].params', 'write with: with the parameters'],
  ] as const)('and of no tool: %s', ([lines, path, hint]) => {
    expect(diagnosticsIn(`id: r\n${lines}\n`).hints[path]).toBe(hint);
  });

  test.for([
    ['social.createPost', 'cw', 'warning'],
    ['social.createPost', 'hashtags', 'text'],
    ['social.createPost', 'mention', 'text'],
    ['social.createPost', 'video', 'files'],
    ['discord.send', 'everyone', 'mention'],
    ['discord.send', 'to', 'channel'],
  ] as const)('for a parameter of %s: %s is %s', ([verb, word, parameter]) => {
    const { hints } = diagnosticsIn(`id: r\nwhen: { every: 1m }\nthen: [{ do: ${verb}, with: { ${word}: x } }]\n`);

    expect(hints[`then[0].with.${word}`]).toBe(`did you mean ${parameter}?`);
  });

  test('are not looked for in parameters', () => {
    const { hints } = diagnosticsIn(
      'id: r\nwhen: { every: 1m }\nthen: [{ do: discord.send, with: { channel: a, content: b, trigger: c } }]\n',
    );

    expect(hints['then[0].with.trigger']).not.toContain('Home Assistant');
  });
});
