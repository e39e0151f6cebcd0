import type { WrittenPost } from '../../../social/posts.ts';
import { attachmentsOf, uploadNamed } from '../../entities/media.ts';
import { standingPoll } from '../../entities/poll.ts';
import { toStatus } from '../../entities/status.ts';
import type { StatusFacts } from '../../posts/facts.ts';
import { nameOfStatus } from '../../posts/finding.ts';
import { storedMedia } from '../../posts/publishing.ts';
import { checkText, readMedia, readPoll, readQuotePolicy } from '../../posts/reading-drafts.ts';
import { recordNotFound } from '../../refusal.ts';
import { anew, json, type UserVisit } from '../../visit.ts';
import { nowhere, signedIn, type Routes } from '../api.ts';

/** What its author does with a post after it was written. */
export function changingRoutes(routes: Routes): void {
  routes.put(
    '/v1/statuses/:id',
    signedIn('write:statuses', (found, c) => {
      const { post, facts } = requireOwn(c.req.param('id') ?? '', found);
      const edited = edit(post, facts, found);
      return json(found, toStatus(edited, anew(found)));
    }),
  );

  routes.delete(
    '/v1/statuses/:id',
    signedIn('write:statuses', (found, c) => {
      const { post } = requireOwn(c.req.param('id') ?? '', found);
      const { content: _, ...source } = toStatus(post, found);
      found.written.delete(post, found.moment.now.getTime());
      // The files may stand in another post then, as when somebody words it anew.
      found.ground.files.attach(
        post.media.map(({ id }) => id),
        undefined,
      );
      return json(found, { ...source, text: post.text, media_attachments: attachmentsOf(post, post.media, found.ground) });
    }),
  );

  routes.put(
    '/v1/statuses/:id/interaction_policy',
    signedIn('write:statuses', (found, c) => {
      if (!found.ground.settings.features.hasQuotes) return nowhere(found.ground);
      const { post, facts } = requireOwn(c.req.param('id') ?? '', found);
      found.ground.facts.put({ ...facts, quotePolicy: policyIn(found, facts) });
      return json(found, toStatus(post, anew(found)));
    }),
  );
}

/** As Mastodon has it, what is not sent again is gone: files and a poll, too. */
function edit(post: WrittenPost, facts: StatusFacts, found: UserVisit): WrittenPost {
  const { fields, ground, moment, written, uploads } = found;
  const nowMs = moment.now.getTime();
  const text = (fields.text('status') ?? post.text).trim();
  const spoilerText = (fields.text('spoiler_text') ?? '').trim();
  const sensitive = (fields.flag('sensitive') ?? false) || spoilerText !== '';
  const poll = readPoll(fields.part('poll'));
  const mediaIds = readMedia(fields.texts('media_ids'), { found, poll, attachedTo: post.id });
  checkText({ text, spoilerText }, { most: ground.settings.current.maxCharacters, hasMedia: mediaIds.length > 0 });

  describeAnew(mediaIds, found);
  const media = storedMedia(mediaIds, uploads, ground);
  const asked = JSON.stringify(poll && { options: poll.options, multiple: poll.multiple });
  const standing = standingPoll(post, ground)?.poll;
  const stood = JSON.stringify(standing && { options: standing.options.map(({ label }) => label), multiple: standing.multiple });
  const changed = asked !== stood && {
    edition: (facts.poll?.edition ?? 0) + 1,
    endsAtMs: nowMs + (poll?.expiresInSeconds ?? 0) * 1000,
    poll,
  };
  const warned = { spoilerText, sensitive };
  const isSame =
    text === post.text &&
    !changed &&
    JSON.stringify(media) === JSON.stringify(post.media) &&
    JSON.stringify(warned) === JSON.stringify({ spoilerText: facts.spoilerText, sensitive: facts.sensitive });
  ground.facts.put({
    ...facts,
    ...(!isSame && withHistory(facts, warned)),
    ...(changed && { poll: changed }),
    quotePolicy: policyIn(found, facts),
  });
  if (isSame) return post;
  ground.files.attach(
    post.media.map(({ id }) => id),
    undefined,
  );
  ground.files.attach(mediaIds, post.id);
  return written.edit(post, { text, media, atMs: nowMs });
}

/** Files are described anew where they stand. */
function describeAnew(mediaIds: readonly string[], { fields, ground }: UserVisit): void {
  for (const attributes of fields.parts('media_attributes')) {
    const facts = ground.files.find(uploadNamed(attributes.text('id') ?? '', ground) ?? '');
    const description = attributes.text('description');
    if (facts && mediaIds.includes(facts.uploadId) && description !== undefined) ground.files.put({ ...facts, description });
  }
}

function withHistory(
  { spoilerText, sensitive, earlier }: StatusFacts,
  now: Pick<StatusFacts, 'spoilerText' | 'sensitive'>,
): Partial<StatusFacts> {
  return { ...now, earlier: [...earlier, { spoilerText, sensitive }] };
}

function policyIn({ fields }: UserVisit, facts: StatusFacts): StatusFacts['quotePolicy'] {
  const isForFew = facts.visibility === 'private' || facts.visibility === 'direct';
  return isForFew ? 'nobody' : (readQuotePolicy(fields.text('quote_approval_policy')) ?? facts.quotePolicy);
}

/** A post of the viewer's, also where reads do not show it yet; somebody else's is as if it was not there. */
function requireOwn(id: string, found: UserVisit): { readonly post: WrittenPost; readonly facts: StatusFacts } {
  const name = nameOfStatus(id, found);
  const post = name === undefined ? undefined : found.written.find(name);
  const facts = post && found.ground.facts.find(post.id);
  if (!facts || post.authorId !== found.viewer.id || post.deletedAtMs !== undefined) throw recordNotFound();
  return { post, facts };
}
