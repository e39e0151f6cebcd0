import type { NewPost, Posting, PostPreview, SentPost } from '#src/engine/posting/posting.ts';
import { isUnsent } from '#src/engine/posting/sent-post.ts';
import { Refused } from '#src/errors.ts';
import { nameOfActor, type Actor } from './actor.ts';
import type { AuditLog } from './audit-log.ts';
import { audited, type Act } from './audited.ts';
import { discordIdOf } from './people.ts';

/** The actions on posts that people wrote and that are not sent yet. They throw a {@link Refused} with the reason. */
export interface PostActions {
  readonly editPost: Act<'editPost', SentPost>;
  readonly movePost: Act<'movePost', SentPost>;
  /** If it was too late for some accounts, the post is sent through them. */
  readonly cancelPost: Act<'cancelPost', SentPost>;
}

export interface PostActionParts {
  readonly posting: Pick<Posting, 'find' | 'contentOf' | 'accounts' | 'preview' | 'edit' | 'move' | 'cancel'>;
  /** The text that tells the author that the post failed. */
  readonly failureText: (content: NewPost, post: Pick<SentPost, 'by' | 'server'>) => Promise<string>;
  readonly auditLog: Pick<AuditLog, 'start' | 'end'>;
}

const MISSING = new Refused('postNotFound', 'There is no such post.');
const BEGUN = new Refused('postBegun', 'It is too late: the post is being sent or was sent.');
const NOT_SENT = new Refused('postNotSent', 'It is too late: the post was not sent. Write a new one.');
const FAR = new Refused('postTimeTooFar', 'The time is more than a year away. Use an earlier time.');
const EDITED = new Refused('postEdited', 'Another person has edited the post. Read it again.');

/** A change of a post that is cancelled. */
export class PostCancelled extends Refused {
  readonly cancelledBy: string;

  constructor(cancelledBy: string) {
    super('postCancelled', `${cancelledBy} cancelled the post.`);
    this.cancelledBy = cancelledBy;
  }
}

/** The actions on waiting posts. The log of actions has no text of a post, because more people read the log than may read the post. */
export function createPostActions({ posting, failureText, auditLog }: PostActionParts): PostActions {
  /** Members of a server act on the posts of their server. */
  async function findFor({ scope }: Actor, id: string): Promise<SentPost> {
    const post = await find(id);
    if (scope && post.server !== scope.server) throw MISSING;
    return post;
  }

  async function find(id: string): Promise<SentPost> {
    const post = await posting.find(id);
    if (!post) throw MISSING;
    return post;
  }

  /** Why a post no longer waits. */
  async function noLongerWaits(id: string): Promise<Refused> {
    const post = await find(id);
    if (post.cancelledBy !== undefined) return new PostCancelled(post.cancelledBy);
    return isUnsent(post) ? NOT_SENT : BEGUN;
  }

  /** Throws if a connected account cannot send the content. */
  function requireSendable(content: NewPost): void {
    const known = posting.accounts().map(({ name }) => name);
    for (const preview of posting.preview({ ...content, accounts: content.accounts.filter((name) => known.includes(name)) }))
      if (preview.problem) throw new Refused('postNotSendable', `${preview.account}: ${explain(preview, preview.problem)}`);
  }

  return {
    editPost: audited('editPost', auditLog, async ({ post: id, text, warning, altText, edits }, by) => {
      const post = await findFor(by, id);
      const before = await posting.contentOf(id);
      if (!before) throw MISSING;
      const content = {
        ...before,
        text,
        ...(warning !== undefined && { warning: warning === '' ? undefined : warning }),
        ...(altText !== undefined && before.picture && { picture: { ...before.picture, altText: altText === '' ? undefined : altText } }),
      };
      requireSendable(content);
      const failureNotice = await failureText(content, post);
      const outcome = await posting.edit(id, { content, edits: edits ?? post.edits, failureNotice, by: posterOf(by) });
      if (outcome !== 'done') throw outcome === 'begun' ? await noLongerWaits(id) : EDITED;
      const result = await find(id);
      return { result, outcome: 'done', before: { edits: post.edits }, after: { edits: result.edits, accounts: accountsOf(result) } };
    }),

    movePost: audited('movePost', auditLog, async ({ post: id, at }, by) => {
      const post = await findFor(by, id);
      const outcome = await posting.move(id, { at, by: posterOf(by) });
      if (outcome !== 'done') throw outcome === 'far' ? FAR : await noLongerWaits(id);
      const result = await find(id);
      const after = { at: result.at.toISOString(), accounts: accountsOf(result) };
      return { result, outcome: 'done', before: { at: post.at.toISOString() }, after };
    }),

    cancelPost: audited('cancelPost', auditLog, async ({ post: id }, by) => {
      const post = await findFor(by, id);
      const outcome = await posting.cancel(id, posterOf(by));
      if (outcome === 'missing') throw MISSING;
      if (outcome === 'begun') throw await noLongerWaits(id);
      const result = await find(id);
      const before = accountsOf(post, 'skipped');
      const accounts = accountsOf(result, 'skipped').filter((account) => !before.includes(account));
      return accounts.length === 0 ? { result, outcome: 'unchanged' } : { result, outcome: 'done', after: { accounts } };
    }),
  };
}

function accountsOf({ targets }: SentPost, state?: 'skipped'): readonly string[] {
  return targets.filter((target) => state === undefined || target.state === state).map(({ account }) => account);
}

/** The person, as posts store it. Only people of Discord have an id, by which messages mention them. */
function posterOf(by: Actor): SentPost['by'] {
  if (by.via === 'discord') return { id: by.id ?? '', name: by.name };
  return { id: (by.via === 'page' ? discordIdOf(by.id ?? '') : undefined) ?? '', name: nameOfActor(by) };
}

function explain({ length, most }: PostPreview, problem: NonNullable<PostPreview['problem']>): string {
  if (problem.kind === 'refused') return problem.why;
  if (problem.kind === 'empty') return 'the post has no text';
  return `the text is too long: ${length} characters${most === undefined ? '' : `, at most ${most} a post`}`;
}
