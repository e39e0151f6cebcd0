import { expect } from 'vitest';
import { createPost } from '#src/clients/social/posts.ts';
import { createScheduledPost } from '#src/clients/social/schedule.ts';
import { PNG } from '../support/media-files.ts';
import { whileSleeping } from '../support/while-sleeping.ts';
import { faultOf, now, recover, type PromiseTest } from './social-fixture.ts';

const warning = 'Spoilers for the finale';
const shown = `${warning}\n\nThe end`;

/** Content warnings, which a platform has or shows above the text. */
export function socialWarningsContract(promise: PromiseTest): void {
  promise('a post begins with its warning, which covers its files', ['createPost.warning'], async ({ fixture, social }) => {
    const files = [{ bytes: PNG, altText: 'A card' }];

    const made = await whileSleeping(fixture.clock, social.createPost('The end', { warning, files }));
    const post = await social.postDetail(made);
    const open = await whileSleeping(fixture.clock, social.createPost('Hello', { files }));

    expect([made.text, post.text]).toEqual([shown, shown]);
    expect(post.sensitive).toBe(true);
    expect((await social.postDetail(open)).sensitive ?? false).toBe(false);
  });

  promise('a copy has the warning once', ['createPost.warning'], async ({ social }) => {
    const post = await social.createPost('The end', { warning });

    // X refuses the same text twice.
    await social.deletePost(post);

    const copy = await social.createPost(post.text, { warning: post.warning ?? warning, sensitive: post.sensitive });

    expect(copy.text).toBe(shown);
  });

  promise('files are covered without a warning', ['createPost.sensitive'], async ({ fixture, social }) => {
    const files = [{ bytes: PNG, altText: 'A card' }];

    const made = await whileSleeping(fixture.clock, social.createPost('Look!', { sensitive: true, files }));

    expect(await social.postDetail(made)).toMatchObject({ text: 'Look!', sensitive: true });
  });

  promise('a lost post is found with its warning', ['createPost.warning'], async ({ fixture, social }) => {
    const since = now(fixture);
    fixture.loseNextAnswer();

    const fault = await faultOf(social.createPost('The end', { warning, key: 'k', since }));
    const recovery = await recover(social, createPost.declared, { text: 'The end', warning }, { key: 'k', since });

    expect(fault).toBe('unanswered');
    expect(recovery).toMatchObject({ found: { text: shown } });
    expect(await fixture.postTexts()).toHaveLength(1);
  });

  promise('a lost post is not the same text without the warning', ['createPost.warning'], async ({ fixture, social }) => {
    const since = now(fixture);
    await social.createPost('The end', { key: 'other', since });

    const recovery = await recover(social, createPost.declared, { text: 'The end', warning }, { key: 'k', since });

    expect(recovery).not.toHaveProperty('found');
  });

  promise('an edit has the warning once', ['createPost.warning', 'editPost'], async ({ fixture, social }) => {
    const post = await social.createPost('The end', { warning });
    await fixture.clock.advance(60_000);

    const edited = await social.editPost(post, `${warning}\n\nThe real end`, { warning });

    expect((await social.postDetail(edited)).text).toBe(`${warning}\n\nThe real end`);
  });

  promise('each post of a thread can have the warning', ['createPost.warning'], async ({ social }) => {
    const first = await social.createPost('The end', { warning, batchCompose: true });

    const second = await social.createPost('Part two', { warning, replyTo: first, batchCompose: true });

    expect(second.text).toBe(`${warning}\n\nPart two`);
    expect(second.replyTo?.postId).toBe(first.id);
  });

  promise('a scheduled post keeps its warning', ['createScheduledPost', 'createPost.warning'], async ({ fixture, social }) => {
    const since = now(fixture);
    const sendAt = new Date(since.getTime() + 3_600_000);
    fixture.loseNextAnswer();

    await faultOf(social.createScheduledPost('The end', sendAt, { warning, key: 'k', since }));
    const recovery = await recover(social, createScheduledPost.declared, { text: 'The end', warning, sendAt }, { key: 'k', since });
    const [waiting] = await social.getScheduledPosts();
    await fixture.clock.advance(3_660_000);

    expect(recovery).toMatchObject({ found: { text: shown, warning } });
    expect(waiting).toMatchObject({ text: shown, warning });
    expect((await social.getPosts(fixture.handle)).items.map(({ text }) => text)).toEqual([shown]);
  });
}
