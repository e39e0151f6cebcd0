import { expect, test } from 'vitest';
import { accountFacts } from '#src/engine/simulation/account-facts.ts';
import type { Capability } from '#src/clients/operation/capability.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { aStep } from '../../rules/evaluate/fixture.ts';

const limit = (most: number) => ({ most, lengthOf: (text: string): number => text.length });
const createPost = (quote: Capability) => ({
  createPost: { support: 'native', parameters: { quote, replyTo: { support: 'native', keepsAudience: true } } } satisfies Capability,
});

const ACCOUNTS: Accounts = {
  social: {
    all: ['blog', 'bluesky'],
    defaults: [],
    textLimits: { blog: limit(5_000), bluesky: limit(300) },
    usualTextLimits: { mastodon: limit(500), bluesky: limit(200) },
    postDefaults: { blog: { warning: 'Spoilers' } },
    platforms: {
      blog: { name: 'mastodon', capabilities: createPost({ support: 'unsupported', reason: 'NO_FEATURE' }) },
      bluesky: { name: 'bluesky', capabilities: createPost({ support: 'native' }) },
    },
  },
};

test('the facts of an account are those with which the delivery engine renders', () => {
  const { textLimitOf, postDefaultsOf, replyFactsOf } = accountFacts(ACCOUNTS);
  const [plain, quoting] = [aStep({ do: 'social.createPost' }), aStep({ do: 'social.createPost', with: { quote: '7' } })];

  expect(textLimitOf('blog', plain)?.most).toBe(5_000);
  // The text needs room for a link.
  expect(textLimitOf('blog', quoting)?.most).toBeLessThan(4_990);
  expect(['bluesky', 'mastodon', 'nowhere'].map((account) => textLimitOf(account, quoting)?.most)).toEqual([300, 500, undefined]);
  expect(['blog', 'bluesky'].map((account) => postDefaultsOf?.(account))).toEqual([{ warning: 'Spoilers' }, undefined]);
  expect(['blog', 'nowhere'].map((account) => replyFactsOf?.(account))).toEqual([{ platform: 'mastodon', keepAudience: true }, undefined]);
});
