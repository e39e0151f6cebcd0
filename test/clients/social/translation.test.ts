import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { openai } from '#adapters/openai/index.ts';
import { startSandbox } from '#sandbox/index.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { openMastodon, type MastodonFixture } from '../../adapters/mastodon/open-mastodon.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';

const translator = { name: 'dictionary', translate: async () => ({ text: 'Guten Morgen', sourceLanguage: 'en' }) };

/** A post on a server, and a function that translates it into German with `more` options. */
async function asking(settings: object) {
  const fixture = await openMastodon(settings);
  const { id } = await fixture.social.createPost('Good morning');
  const translate = (
    more: Omit<ConstructorParameters<typeof SocialAsync>[0], 'platform' | 'clock'> = {},
    platform: SocialPlatform = fixture.platform,
  ) => whileSleeping(fixture.clock, new SocialAsync({ platform, clock: fixture.clock, ...more }).translatePost(id, 'de'));
  return { fixture, id, translate, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

const requestsTo = async ({ sandbox }: MastodonFixture): Promise<string> => (await fetch(`${sandbox.url}/control/requests`)).text();

describe('a translation, on a platform that may support it', () => {
  test('is made by the server if it can, even with a translator', async () => {
    await using asked = await asking({ translation: 'on' });

    const translation = await asked.translate({ translator });

    expect(translation).toMatchObject({ postId: asked.id, targetLanguage: 'de' });
    expect(translation.provider).not.toBe('dictionary');
  });

  test.for([
    ['has disabled it', 'off'],
    ['is unavailable', 'down'],
  ] as const)('is made by the translator if the server %s, and names it as its provider', async ([, translation]) => {
    await using asked = await asking({ translation });

    expect(await asked.translate({ translator })).toEqual({
      postId: asked.id,
      visibility: 'public',
      text: 'Guten Morgen',
      sourceLanguage: 'en',
      targetLanguage: 'de',
      provider: 'dictionary',
    });
  });

  test('is made by the assistant without a translator, and names it as its provider', async () => {
    await using asked = await asking({ translation: 'off' });
    await using assistants = await startSandbox({});
    const { ASSISTANT_URL: url = '', ASSISTANT_API_KEY: apiKey = '', ASSISTANT_MODEL: name = '' } = assistants.environment;

    const translation = await asked.translate({
      assistant: openai({ account: 'assistant', clock: new ManualClock(), url, apiKey, model: name }),
    });

    expect(translation).toMatchObject({ postId: asked.id, targetLanguage: 'de', provider: 'assistant' });
    expect(translation.text).not.toBe('');
  });

  test.for([
    ['off', { name: 'UnsupportedOperation', reason: 'SERVER_DISABLED' }],
    ['down', { name: 'PlatformError', fault: 'unavailable', status: 503 }],
  ] as const)(
    'without a translator and an assistant fails with the error of a server whose translation is %s',
    async ([translation, refusal]) => {
      await using asked = await asking({ translation });

      await expect(asked.translate()).rejects.toMatchObject(refusal);
    },
  );

  test('of a restricted post fails, and the translator does not get it', async () => {
    await using asked = await asking({ translation: 'on' });
    const { operations } = asked.fixture.platform;
    const refusal = Object.assign(new Error('not for everybody'), { fault: 'rejected' });
    const secretive: SocialPlatform = {
      ...asked.fixture.platform,
      operations: { ...operations, translatePost: () => Promise.reject(refusal) },
    };

    await expect(asked.translate({ translator }, secretive)).rejects.toBe(refusal);
  });

  test('is composed in the capabilities if there is a translator', async () => {
    await using asked = await asking({ translation: 'on' });
    const { platform } = asked.fixture;

    expect(new SocialAsync({ platform }).capabilities['translatePost']).toMatchObject({ support: 'gated' });
    expect(new SocialAsync({ platform, translator }).capabilities['translatePost']).toMatchObject({
      support: 'composed',
      detail: expect.stringContaining('otherwise by dictionary'),
    });
    expect(await requestsTo(asked.fixture)).not.toContain('translate');
  });
});
