import type { NewPost, PostPreview, PreviewProblem } from './posting.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { PostDefaults } from '#src/clients/operation/post-defaults.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { mentionsIn } from '#src/clients/operation/text/mentions.ts';
import { renderStep, type Rendered } from '#src/rules/render.ts';
import { limitBehind } from '#src/rules/rendering/post-parts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { postScope, postStep } from './post-firing.ts';

export interface PreviewPostOptions {
  readonly account: string;
  /** The length limit of the account. */
  readonly textLimit: TextLimit | undefined;
  /** The defaults of posts of the account. */
  readonly postDefaults?: PostDefaults | undefined;
  readonly now: Date;
}

/** Previews a post for an account, with the same rendering as its delivery. */
export function previewPost(post: NewPost, { account, textLimit, postDefaults, now }: PreviewPostOptions): PostPreview {
  const step = postStep(post, { isQueued: false });
  let isWarningCut = false;
  const rendered = renderStep({
    step,
    names: { steps: {} },
    scope: postScope(now),
    section: 'then',
    account,
    results: {},
    textLimit,
    postDefaults,
    catalogue,
    onCutWarning: () => void (isWarningCut = true),
  });
  const rows = postsOf(rendered);
  const posts = rows.map(textOf);
  const warning = rows[0] ? rows[0]['warning'] : post.warning;
  const room = limitBehind(typeof warning === 'string' ? warning : undefined, textLimit);
  // The warning takes room from the text.
  const lengthOf = (text: string): number => (textLimit && room ? room.lengthOf(text) + textLimit.most - room.most : text.length);
  const length = lengthOf(post.text);
  return {
    account,
    posts: posts.map((text) => ({ text, length: lengthOf(text) })),
    most: textLimit?.most,
    length,
    ...(typeof warning === 'string' && warning !== '' && { warning, isWarningCut }),
    mentions: mentionsIn(posts.join('\n'), textLimit),
    problem: problemOf(rendered, { isEmpty: post.text.trim() === '' && !post.picture, isTooLong: length > (textLimit?.most ?? Infinity) }),
  };
}

function postsOf(rendered: Rendered): readonly JsonObject[] {
  if ('thread' in rendered) return rendered.thread;
  return 'params' in rendered ? [rendered.params] : [];
}

function textOf({ text }: JsonObject): string {
  return typeof text === 'string' ? text : '';
}

function problemOf(
  rendered: Rendered,
  { isEmpty, isTooLong }: { readonly isEmpty: boolean; readonly isTooLong: boolean },
): PreviewProblem | undefined {
  if (isEmpty || 'skip' in rendered) return { kind: 'empty' };
  if (!('failure' in rendered)) return undefined;
  return isTooLong ? { kind: 'tooLong' } : { kind: 'refused', why: rendered.failure };
}
