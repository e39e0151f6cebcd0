import {
  mayDrop,
  neededFor,
  type Approver,
  type Decision,
  type Draft,
  type DraftedPost,
  type DraftedRule,
  type Drafts,
  type DraftRefusal,
  type StoredDrafts,
} from '#src/clients/assistant/drafts.ts';
import { createKeyedQueue } from '#src/clients/keyed-queue.ts';
import { DraftDecided } from '#src/engine/rule-sets/rule-versions.ts';
import type { Posting, PostPreview } from '#src/engine/posting/posting.ts';
import { UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { checkDraft, type CheckContext } from './check-draft.ts';
import type { ApprovedRules } from './approved-rules.ts';

export interface DecideDraftsOptions {
  readonly drafts: StoredDrafts;
  readonly checkContext: CheckContext;
  readonly approvedRules: ApprovedRules;
  /** Sends approved posts; absent without an account that can post. */
  readonly posting: Pick<Posting, 'preview' | 'send' | 'find'> | undefined;
  readonly log: Log;
}

/** Creates the decisions about drafts. A draft is decided once. It stays open if the person lacks a permission or its action fails. */
export function decideDrafts({ drafts, checkContext, approvedRules, posting, log }: DecideDraftsOptions): Drafts {
  const queue = createKeyedQueue();

  /** The draft; approved if its post was created, even if that approval ended before it was recorded. */
  async function read(id: string): Promise<Draft | undefined> {
    const draft = await drafts.find(id);
    const post = draft?.state === 'open' && draft.content.kind === 'post' ? await posting?.find(id) : undefined;
    if (!draft || !post) return draft;
    await decideOnce(id, post.by, 'approved');
    return { ...draft, state: 'approved', decidedBy: post.by.id };
  }

  async function enable(content: DraftedRule, { id }: Draft, approver: Approver): Promise<Decision> {
    // Accounts and rules may have changed since the draft.
    const { wrong, posts } = await checkDraft(content.source, content.tests, checkContext);
    if (wrong !== undefined) return { state: 'refused', why: wrong };
    if (posts && !approver.may('post')) return { state: 'forbidden', needs: 'both' };
    // The tests take seconds, and another process may have dropped it.
    const inTheWay = obstacle(await drafts.find(id), true);
    if (inTheWay) return inTheWay;
    try {
      const rule = { ...content, source: checkContext.sourceToWrite(content.source) };
      const added = await approvedRules.add(rule, approver.name, { id, by: approver.id });
      return 'why' in added ? { state: 'refused', why: added.why } : { state: 'approved', where: added.where };
    } catch (error) {
      if (!(error instanceof DraftDecided)) throw error;
      return obstacle(await drafts.find(id), true) ?? { state: 'gone' };
    }
  }

  async function hand({ text, accounts }: DraftedPost, { id }: Draft, { id: person, name, server }: Approver): Promise<Decision> {
    if (!posting) return { state: 'refused', why: { kind: 'noAccount' } };
    const post = { text, accounts };
    const [unfit] = posting.preview(post).flatMap(refusalOf);
    if (unfit) return { state: 'refused', why: unfit };
    try {
      await posting.send(post, { id, by: { id: person, name }, server: server?.id });
      return { state: 'approved', where: id };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return { state: 'refused', why: { kind: 'unsent', why: error.message } };
    }
  }

  /** Why this person cannot decide about a draft now; undefined if they can. */
  function obstacle(draft: Draft | undefined, isAllowed: boolean): Decision | undefined {
    if (!draft) return { state: 'gone' };
    if (!isAllowed) return { state: 'forbidden', needs: neededFor(draft) };
    return draft.state === 'open' ? undefined : { state: 'decided', before: draft };
  }

  async function decideOnce(id: string, approver: Pick<Approver, 'id' | 'name'>, state: 'approved' | 'dropped'): Promise<boolean> {
    const isDecided = await drafts.decide(id, { state, by: approver.id });
    // The publication of a rule has approved its draft.
    if (isDecided || state === 'approved')
      log.info({ draft: id, state, by: approver.name, person: approver.id }, 'a member decided about a draft');
    return isDecided;
  }

  return {
    find: (id) => drafts.find(id),

    async approve(id, approver) {
      using _lock = await queue.acquire(id);
      const draft = await read(id);
      const inTheWay = obstacle(draft, draft !== undefined && approver.may(neededFor(draft)));
      if (!draft || inTheWay) return inTheWay ?? { state: 'gone' };
      // The action comes before its record. After a crash in between, `read` finds the post, and the rule recognizes its own file.
      const { content } = draft;
      const decision = content.kind === 'rule' ? await enable(content, draft, approver) : await hand(content, draft, approver);
      if (decision.state === 'approved') await decideOnce(id, approver, 'approved');
      return decision;
    },

    async drop(id, approver) {
      using _lock = await queue.acquire(id);
      const draft = await read(id);
      const inTheWay = obstacle(draft, draft !== undefined && mayDrop(draft, approver));
      if (inTheWay) return inTheWay;
      if (await decideOnce(id, approver, 'dropped')) return { state: 'dropped' };
      // Another process decided it in the meantime.
      return obstacle(await drafts.find(id), true) ?? { state: 'gone' };
    },
  };
}

function refusalOf({ account, problem }: PostPreview): readonly DraftRefusal[] {
  if (!problem) return [];
  return [problem.kind === 'refused' ? { kind: 'rejected', account, why: problem.why } : { kind: problem.kind, account }];
}
