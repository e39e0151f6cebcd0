import { describe, expect, test } from 'vitest';
import { createClients } from '#src/clients/clients.ts';
import { limitBesideQuote } from '#src/engine/delivery/quote-as-link.ts';
import { performStep, recoverStep } from '#src/engine/delivery/steps.ts';
import { UnsupportedParameter } from '#src/errors.ts';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { bareSocial } from '../../support/bare-social.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const clock = new ManualClock();
const ADDRESS = 'https://social.test/@ada/7';
const ATTEMPT = {
  do: 'social.createPost',
  account: 'bare',
  key: 'k',
  since: new Date(clock.nowMs()),
  signal: new AbortController().signal,
};

function post(text: string): object {
  return { id: '8', text, url: 'https://social.test/8' };
}

/** A platform without quotes, which records its posts. */
function without(sent: object[]): SocialPlatform {
  const social = bareSocial({
    async createPost(params) {
      if (params.quote !== undefined) {
        throw new UnsupportedParameter({ platform: 'bare', operation: 'createPost', parameter: 'quote', reason: 'TIER_REQUIRED' });
      }
      sent.push(params);
      return post(params.text) as never; // the fields that the test reads
    },
    postDetail: async () => ({ ...post('quoted'), url: ADDRESS }) as never, // as above
  });
  const createPost = { support: 'native', parameters: { quote: { support: 'gated', reason: 'TIER_REQUIRED' } } } as const;
  return {
    ...social,
    capabilities: { ...social.capabilities, createPost },
    textLimit: { most: 120, lengthOf: countGraphemes },
    recover: {
      createPost: async ({ text }) => (sent.some((one) => 'text' in one && one.text === text) ? { found: post(text) as never } : 'absent'), // as above
    },
  };
}

describe('a quote on a platform without quotes', () => {
  test.for([
    ['7', ADDRESS],
    [ADDRESS, ADDRESS],
    ['https://elsewhere.test/p/1', 'https://elsewhere.test/p/1'],
  ] as const)('is the address of %s in the text, by which the post is found', async ([quote, address]) => {
    const sent: object[] = [];
    const clients = createClients({ streaming: [], social: [without(sent)], discord: [] }, clock);

    await performStep(clients, { ...ATTEMPT, params: { text: 'look', quote } });
    const recovery = await recoverStep(clients, { ...ATTEMPT, params: { text: 'look', quote }, taken: new Set(), lostAt: ATTEMPT.since });

    expect(sent).toMatchObject([{ text: `look\n${address}` }]);
    expect(recovery).toMatchObject({ found: { text: `look\n${address}` } });
  });

  test('is found on a platform that cannot prove that a post is missing', async () => {
    const sent: object[] = [];
    const platform = without(sent);
    const recover: SocialPlatform['recover'] = {
      createPost: async (params, options) => {
        const found = await platform.recover?.createPost?.(params, options);
        return found === 'absent' || found === undefined ? 'cannotTell' : found;
      },
    };
    const clients = createClients({ streaming: [], social: [{ ...platform, recover }], discord: [] }, clock);
    const lost = { ...ATTEMPT, params: { text: 'look', quote: '7' }, taken: new Set<string>(), lostAt: ATTEMPT.since };

    expect(await recoverStep(clients, lost)).toBe('cannotTell');
    await performStep(clients, lost);

    expect(await recoverStep(clients, lost)).toMatchObject({ found: { text: `look\n${ADDRESS}` } });
  });

  test('a post that was never sent is not found', async () => {
    const clients = createClients({ streaming: [], social: [without([])], discord: [] }, clock);

    expect(await recoverStep(clients, { ...ATTEMPT, params: { text: 'look', quote: '7' }, taken: new Set(), lostAt: ATTEMPT.since })).toBe(
      'absent',
    );
  });

  test('leaves room for the link; a native quote needs none', () => {
    const [lacking, having] = [without([]), { ...without([]), capabilities: bareSocial().capabilities }];
    const mostOf = (platform: SocialPlatform): number => limitBesideQuote(new SocialAsync({ platform, clock }))?.most ?? 0;

    expect(mostOf(lacking) + ADDRESS.length).toBeLessThanOrEqual(120);
    expect(mostOf(having)).toBe(120);
  });
});
