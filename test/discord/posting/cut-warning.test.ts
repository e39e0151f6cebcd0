import { expect, test } from 'vitest';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { previewEmbeds } from '#src/discord/posting/preview-message.ts';
import { previewPost } from '#src/engine/posting/preview-post.ts';
import type { NewPost, Posting } from '#src/engine/posting/posting.ts';
import { TEXT_LIMITS } from '../../support/text-limits.ts';

const posting = {
  accounts: () => [{ name: 'x', isDefault: true }],
  preview: (post: NewPost) => [previewPost(post, { account: 'x', textLimit: TEXT_LIMITS.x, now: new Date(0) })],
} as Partial<Posting> as Posting; // a preview uses nothing else

test.each([en, de])('the preview of a post has a remark if its content warning is cut', (texts) => {
  const descriptionWith = (warning: string) =>
    previewEmbeds({ text: 'Ada is live', warning, accounts: ['x'] }, posting, texts)[0]?.description;

  expect(descriptionWith('Spoilers for the finale '.repeat(7))).toContain(`⚠️ ${texts.controls.previewing.shortenedWarning}`);
  expect(descriptionWith('Spoilers')).not.toContain('⚠️');
});
