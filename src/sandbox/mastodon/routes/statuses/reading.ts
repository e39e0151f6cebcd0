import type { JsonObject } from '#src/operation/json.ts';
import { whoReacted } from '../../../social/crowd/who-reacted.ts';
import type { StoredPost } from '../../../social/posts.ts';
import { toAccount } from '../../entities/account.ts';
import { contentOf } from '../../entities/content.ts';
import { attachmentsOf } from '../../entities/media.ts';
import { toStatus } from '../../entities/status.ts';
import { findStatus, requireOriginal, requireStatus } from '../../posts/finding.ts';
import { json, type Visit } from '../../visit.ts';
import { anybody, nowhere, signedIn, type Routes } from '../api.ts';
import { idsIn, peoplePage, postsPage } from '../listings.ts';

/** How much of a thread is told: all that a person can read to whoever signed in. */
const WHOLE = { ancestors: 4096, descendants: 4096, depth: Infinity };
const FOR_ANYBODY = { ancestors: 40, descendants: 60, depth: 20 };

/** What can be read of posts. */
export function readingRoutes(routes: Routes): void {
  routes.get(
    '/v1/statuses',
    anybody('read:statuses', (found) => {
      if (!found.ground.settings.features.hasBatches) return nowhere(found.ground);
      const posts = idsIn(found).flatMap((id) => findStatus(id, found) ?? []);
      return json(
        found,
        posts.map((post) => toStatus(post, found)),
      );
    }),
  );

  routes.get(
    '/v1/statuses/:id',
    anybody('read:statuses', (found, c) => json(found, toStatus(requireStatus(c.req.param('id') ?? '', found), found))),
  );

  routes.get(
    '/v1/statuses/:id/context',
    anybody('read:statuses', (found, c) => json(found, contextOf(requireOriginal(c.req.param('id') ?? '', found), found))),
  );

  routes.get(
    '/v1/statuses/:id/source',
    signedIn('read:statuses', (found, c) => {
      const post = requireOriginal(c.req.param('id') ?? '', found);
      const { spoilerText = '' } = found.ground.facts.find(post.id) ?? {};
      return json(found, { id: found.ground.ids.status(post), text: post.text, spoiler_text: spoilerText });
    }),
  );

  routes.get(
    '/v1/statuses/:id/history',
    anybody('read:statuses', (found, c) => json(found, historyOf(requireOriginal(c.req.param('id') ?? '', found), found))),
  );

  routes.get(
    '/v1/statuses/:id/card',
    anybody('read:statuses', (found, c) => {
      requireStatus(c.req.param('id') ?? '', found);
      return json(found, {});
    }),
  );

  for (const [name, kind] of [
    ['favourited_by', 'like'],
    ['reblogged_by', 'repost'],
  ] as const) {
    routes.get(
      `/v1/statuses/:id/${name}`,
      anybody('read:statuses', (found, c) => {
        const post = requireOriginal(c.req.param('id') ?? '', found);
        const people = whoReacted(kind, post, found.moment).map(({ id }) => id);
        return peoplePage(people, found);
      }),
    );
  }

  routes.get(
    '/v1/statuses/:id/quotes',
    signedIn('read:statuses', (found, c) => {
      if (!found.ground.settings.features.hasQuotes) return nowhere(found.ground);
      return postsPage(found.moment.feed.quotesOf(requireOriginal(c.req.param('id') ?? '', found).id), found);
    }),
  );
}

function contextOf(post: StoredPost, found: Visit): JsonObject {
  const { feed } = found.moment;
  const most = found.viewer ? WHOLE : FOR_ANYBODY;
  const ancestors: StoredPost[] = [];
  let above = post.replyTo === undefined ? undefined : feed.find(post.replyTo);
  while (above && ancestors.length < most.ancestors) {
    ancestors.unshift(above);
    above = above.replyTo === undefined ? undefined : feed.find(above.replyTo);
  }
  const descendants = below(post, found, most.depth).slice(0, most.descendants);
  return { ancestors: ancestors.map((one) => toStatus(one, found)), descendants: descendants.map((one) => toStatus(one, found)) };
}

/** All that was said below a post, each right after what it answers. */
function below(post: StoredPost, found: Visit, depth: number): readonly StoredPost[] {
  if (depth === 0) return [];
  return found.moment.feed.answersTo(post.id).flatMap((answer) => [answer, ...below(answer, found, depth - 1)]);
}

/** Every version of a post, the first one first. */
function historyOf(post: StoredPost, found: Visit): readonly JsonObject[] {
  const { ground, moment } = found;
  const facts = ground.facts.find(post.id);
  const author = moment.people.find(post.authorId);
  const quoted = post.quote === undefined ? undefined : moment.feed.find(post.quote);
  const versions = [...post.earlier, { text: post.text, media: post.media, atMs: post.editedAtMs ?? post.createdAtMs }];
  const warnings = [...(facts?.earlier ?? []), { spoilerText: facts?.spoilerText ?? '', sensitive: facts?.sensitive ?? false }];
  return versions.map(({ text, media, atMs }, index) => ({
    content: contentOf(text, ground.settings.features.hasQuotes ? quoted : undefined, ground),
    spoiler_text: warnings[index]?.spoilerText ?? '',
    sensitive: warnings[index]?.sensitive ?? false,
    created_at: new Date(atMs).toISOString(),
    account: author ? toAccount(author, found) : null,
    media_attachments: attachmentsOf(post, media, ground),
    emojis: [],
  }));
}
