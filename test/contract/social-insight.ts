import { expect } from 'vitest';
import { Language } from '#src/clients/social/enumerations.ts';
import { newest, type PromiseTest } from './social-fixture.ts';

/** Analytics, translations and versions of posts. */
export function socialInsightContract(promise: PromiseTest): void {
  promise('the analytics of a post have at least its public counts', ['getPostAnalytics'], async ({ social }) => {
    const post = await social.createPost('How am I doing?');

    const analytics = await social.getPostAnalytics(post);

    expect(analytics).toMatchObject({ postId: post.id, likes: 0, reposts: 0, replies: 0 });
  });

  promise('a translation names its provider', ['translatePost'], async ({ fixture, social }) => {
    const post = await newest(social, fixture.other);

    const translation = await social.translatePost(post, Language.GERMAN);

    expect(translation).toMatchObject({ postId: post.id, targetLanguage: 'de' });
    expect(translation.text).not.toBe('');
    expect(translation.provider).not.toBe('');
  });

  promise('a post that was never edited has one version', ['postEditHistory'], async ({ social }) => {
    const post = await social.createPost('first');

    const { versions } = await social.postEditHistory(post);

    expect(versions.map(({ text }) => text)).toEqual(['first']);
  });
}
