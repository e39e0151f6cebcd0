import { describe, expect, test } from 'vitest';
import type { AssistantPlatform, Prompt } from '#src/clients/assistant/port.ts';
import { PlatformError } from '#src/errors.ts';
import { recoverWrite } from '#src/clients/operation/client.ts';
import { createAssistantConversation, getAssistantResponse } from '#src/clients/social/assistant.ts';
import type { Gif } from '#src/clients/social/records/discovery.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { openStore } from '#src/store/store.ts';
import { bareSocial } from '../../support/bare-social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryTranscripts } from '#src/clients/assistant/memory-transcripts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SINCE = new Date('2026-11-20T18:00:00Z');

interface Model extends AssistantPlatform {
  readonly asked: (readonly Prompt[])[];
}

/** A model that answers in two pieces, and reports its usage. */
function model({ fails = 0 }: { readonly fails?: number } = {}): Model {
  const asked: (readonly Prompt[])[] = [];
  return {
    name: 'echo',
    account: 'assistant',
    model: 'echo-1',
    asked,
    async *answer({ messages }) {
      asked.push(messages);
      yield 'You said: ';
      if (asked.length <= fails) throw new PlatformError('the model broke off', { platform: 'echo', fault: 'unavailable' });
      yield messages.at(-1)?.text ?? '';
      yield { finishReason: 'stop', usage: { inputTokens: 7, outputTokens: 3 } };
    },
  };
}

function socialWithAssistant(
  assistant = model(),
  transcripts = memoryTranscripts(),
): { readonly social: SocialAsync; readonly assistant: Model } {
  const clock = new ManualClock(SINCE);
  return { social: new SocialAsync({ platform: bareSocial(), assistant, keep: { transcripts }, clock }), assistant };
}

describe('the assistant, on a platform without one', () => {
  test('returns its answer with the conversation', async () => {
    const { social } = socialWithAssistant();

    const [message, conversation] = await social.getAssistantResponse('Hello there');

    expect(message).toMatchObject({
      role: 'assistant',
      text: 'You said: Hello there',
      finishReason: 'stop',
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    expect(conversation).toMatchObject({
      provider: 'assistant',
      model: 'echo-1',
      title: 'Hello there',
      messages: [{ role: 'user', text: 'Hello there' }, message],
    });
  });

  test('continues a conversation by its id or its record, with the history for the model', async () => {
    const { social, assistant } = socialWithAssistant();
    const id = await social.createAssistantConversation();

    const [, first] = await social.getAssistantResponse('one', { conversation: id });
    const [, second] = await social.getAssistantResponse('two', { conversation: first });

    expect(second.id).toBe(id);
    expect(assistant.asked[1]?.slice(1).map(({ text }) => text)).toEqual(['one', 'You said: one', 'two']);
    expect(await social.getAssistantConversation(id)).toEqual(second);
  });

  test('returns a conversation without messages, and reports an unknown conversation as missing', async () => {
    const { social } = socialWithAssistant();
    const id = await social.createAssistantConversation();

    expect(await social.getAssistantConversation(id)).toMatchObject({ id, messages: [], createdAt: SINCE, updatedAt: SINCE });
    await expect(social.getAssistantConversation('nobody')).rejects.toMatchObject({ fault: 'missing' });
    await expect(social.getAssistantResponse('hi', { conversation: 'nobody' })).rejects.toMatchObject({ fault: 'missing' });
  });

  test('keeps its conversations after a restart', async () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/fanfare.sqlite`;
    async function run<T>(use: (social: SocialAsync) => Promise<T>): Promise<T> {
      await using store = await openStore({ file });
      return await use(socialWithAssistant(model(), store.transcripts).social);
    }

    const [empty, [, before]] = await run(async (social) => [
      await social.createAssistantConversation(),
      await social.getAssistantResponse('remember me'),
    ]);

    expect(await run((social) => social.getAssistantConversation(before))).toEqual(before);
    expect(await run((social) => social.getAssistantConversation(empty))).toMatchObject({ messages: [] });
  });

  test('is asked once for one key: a repeat gets the same answer', async () => {
    const { social, assistant } = socialWithAssistant();

    const first = await social.getAssistantResponse('once', { key: 'k' });
    const second = await social.getAssistantResponse('once', { key: 'k' });

    expect(second).toEqual(first);
    expect(assistant.asked.length).toBe(1);
  });

  test('is asked again after a failure with the same key, and the question is stored once', async () => {
    const { social } = socialWithAssistant(model({ fails: 1 }));
    const options = { key: 'k', since: SINCE, taken: new Set<string>() };

    await expect(social.getAssistantResponse('again', { key: 'k' })).rejects.toMatchObject({ fault: 'unavailable' });
    const lost = await recoverWrite(social, getAssistantResponse.declared, { text: 'again' }, options);
    const answer = await social.getAssistantResponse('again', { key: 'k' });

    expect(lost).toBe('absent');
    expect(answer[1].messages.map(({ text }) => text)).toEqual(['again', 'You said: again']);
    expect(await recoverWrite(social, getAssistantResponse.declared, { text: 'again' }, options)).toEqual({ found: answer });
  });

  test('begins one conversation for one key, which can be found', async () => {
    const { social } = socialWithAssistant();
    const options = { key: 'k', since: SINCE, taken: new Set<string>() };
    const before = await recoverWrite(social, createAssistantConversation.declared, {}, options);

    const first = await social.createAssistantConversation({ key: 'k' });
    const second = await social.createAssistantConversation({ key: 'k' });

    expect(before).toBe('absent');
    expect(second).toBe(first);
    expect(await recoverWrite(social, createAssistantConversation.declared, {}, options)).toEqual({ found: first });
  });

  test.for([
    ['an assistant', { keep: { transcripts: memoryTranscripts() } }],
    ['transcripts', { assistant: model() }],
  ] as const)('is unsupported without %s, and the error names the missing options', async ([, providers]) => {
    const social = new SocialAsync({ platform: bareSocial(), ...providers });

    await expect(social.getAssistantResponse('hi')).rejects.toMatchObject({
      name: 'UnsupportedOperation',
      reason: 'PROVIDER_MISSING',
      message: expect.stringContaining('Give SocialAsync `assistant`, and `keep.transcripts`'),
    });
  });
});

const gif: Gif = { provider: 'drawer', id: '1', url: 'https://gifs.example/1', previewUrl: 'https://gifs.example/1s', width: 1, height: 1 };

describe('GIFs, on a platform without them', () => {
  test('are read from the provider, page by page', async () => {
    const gifs: { name: string; search: NonNullable<SocialPlatform['operations']['searchGifs']> } = {
      name: 'drawer',
      search: async ({ searchTerm }, { cursor }) =>
        cursor ? { items: [{ ...gif, id: '2' }] } : { items: [{ ...gif, title: searchTerm }], cursor: 'p2' },
    };
    const social = new SocialAsync({ platform: bareSocial(), gifs });

    const found = await social.searchGifs('confetti', { pages: 'all', waitTime: 0 });

    expect(found.items).toMatchObject([{ id: '1', title: 'confetti' }, { id: '2' }]);
  });

  test('are unsupported without a provider', async () => {
    await expect(new SocialAsync({ platform: bareSocial() }).searchGifs('confetti')).rejects.toMatchObject({ reason: 'PROVIDER_MISSING' });
  });

  test('are read from the platform if it has them', async () => {
    const platform = bareSocial({ searchGifs: async () => ({ items: [{ ...gif, provider: 'bare' }] }) });
    const gifs = { name: 'drawer', search: async () => ({ items: [gif] }) };

    expect((await new SocialAsync({ platform, gifs }).searchGifs('confetti')).items).toMatchObject([{ provider: 'bare' }]);
  });
});

describe('a translation, on a platform without one', () => {
  const platform = bareSocial({ postDetail: async ({ identifier }) => ({ id: identifier, text: 'Guten Morgen' }) as Post }); // the fields that are read

  test('is made by the translator', async () => {
    const translator = { name: 'dictionary', translate: async () => ({ text: 'Good morning', sourceLanguage: 'de' }) };

    expect(await new SocialAsync({ platform, translator }).translatePost('7', 'en')).toEqual({
      postId: '7',
      text: 'Good morning',
      sourceLanguage: 'de',
      targetLanguage: 'en',
      provider: 'dictionary',
    });
  });

  test('is made by the assistant without a translator, with the instruction that the text is data', async () => {
    const assistant = model();

    const translation = await new SocialAsync({ platform, assistant }).translatePost('7', 'en');

    expect(translation).toMatchObject({ text: 'You said: Guten Morgen', provider: 'assistant' });
    expect(assistant.asked[0]?.[0]?.text).toMatch(/text is data.*language en/s);
  });

  test('is unsupported without a translator and an assistant', async () => {
    await expect(new SocialAsync({ platform }).translatePost('7', 'en')).rejects.toMatchObject({ reason: 'PROVIDER_MISSING' });
  });
});
