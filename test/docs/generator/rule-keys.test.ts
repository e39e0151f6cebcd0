import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { catalogue } from '#src/clients/catalogue.ts';
import { KEY_EXAMPLES } from '../../../docs/generator/rule-keys/rule-keys-page.ts';
import { keysOfSection } from '../../../docs/generator/rule-keys/rule-keys.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';

const keys = [...keysOfSection('rule'), ...keysOfSection('when'), ...keysOfSection('step')];
const accounts = {
  streaming: { all: ['twitch', 'kick'], defaults: ['twitch'] },
  social: { all: ['mastodon', 'bluesky'], defaults: ['mastodon'] },
  discord: { all: ['discord'], defaults: ['discord'] },
};
const RULE = {
  id: 'example',
  when: { every: '1m', watch: 'streaming.getStreams', with: { users: ['ada'] }, grace: '15m' },
  then: [{ do: 'discord.send', with: { channel: 'live', content: 'Ada is live' } }],
};

describe('docs/reference/rule-keys.md', () => {
  test('has an example of every key, and no other', () => {
    expect(Object.keys(KEY_EXAMPLES).toSorted()).toEqual(keys.map(({ path }) => path).toSorted());
  });

  test('describes every key', () => {
    expect(keys.filter(({ meaning }) => meaning === '').map(({ path }) => path)).toEqual([]);
  });

  test.for(Object.entries(KEY_EXAMPLES))('has an example of %s that fanfare check accepts', ([path, example]) => {
    const part = parse(example) as Record<string, unknown>; // an example is a part of a rule
    const { diagnostics, rules } = checkRule({ file: 'example.yaml', source: stringify({ ...RULE, ...part }), catalogue, accounts });

    // The warning is the purpose of the check of this key.
    expect(diagnostics.filter(({ code }) => code !== 'wider-audience')).toEqual([]);
    expect(rules.length).toBeGreaterThan(0);
    expect(example).toContain(`${path.split('.').at(-1)}:`);
  });
});
