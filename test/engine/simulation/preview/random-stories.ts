import { fc } from '../../../support/property.ts';
import {
  button,
  type CaseFiles,
  embed,
  fileOf,
  files,
  layout,
  longEmbed,
  optional,
  rarely,
  template,
  text,
} from './random-announcements.ts';

/** The id of the first message of a story, which later steps answer, edit and delete. */
export const FIRST = 'first';
const FIRST_ID = '${{ steps.first.id }}';
/** The id of the answer to the first post. */
const ANSWER_ID = '${{ steps.then1.id }}';

const condition = optional(fc.constantFrom('item.viewerCount >= 0', 'item.viewerCount >= 0', 'item.viewerCount < 0'));
/** X refuses a second post with the same text. */
const unlike = (what: string): string => `https://example.com/\${{ rule.id }}/${what}`;

const card = {
  content: optional(template),
  embed: optional(fc.oneof({ weight: 3, arbitrary: embed }, { weight: 1, arbitrary: longEmbed })),
  buttons: optional(fc.array(button, { minLength: 1, maxLength: 2 })),
};
interface Shown {
  readonly content?: string | undefined;
  readonly embed?: object | undefined;
  readonly buttons?: readonly object[] | undefined;
  readonly layout?: object | undefined;
}
const blocks = { layout };
const buttons = fc.array(button, { minLength: 1, maxLength: 2 });
const mention = optional(fc.subarray(['Live', 'everyone'], { minLength: 1 }));
const forEach = optional(fc.constant('["one", "two"]'));
const ofElement = (list: string | undefined, text: string): string => (list === undefined ? text : `\${{ it }} ${text}`);
const deleteMessage = fc.record({ if: condition }).map((step) => ({ do: 'discord.delete', ...step, with: { message: FIRST_ID } }));

/** A message stays a layout, and one with a text and a card can become one. */
const chatStory = fc.constantFrom(card, card, blocks).chain((shown: Partial<typeof card & typeof blocks>) => {
  const changes = fc.oneof(
    { weight: 4, arbitrary: fc.record<Shown>(shown) },
    { weight: 1, arbitrary: fc.oneof(fc.record<Shown>(blocks), fc.record<Shown>({ buttons }), fc.record<Shown>({ content: template })) },
  );
  const editMessage = fc.record({ if: condition, forEach, with: changes }).map(({ with: parts, ...step }) => ({
    do: 'discord.edit',
    ...step,
    with: { message: FIRST_ID, ...parts, ...(parts.content !== undefined && { content: ofElement(step.forEach, parts.content) }) },
  }));
  const answerMessage = fc.record({ if: condition, with: fc.record({ ...shown, mention }) }).map(({ with: parts, ...step }) => ({
    do: 'discord.send',
    ...step,
    with: { channel: 'live', replyTo: FIRST_ID, ...parts },
  }));
  return fc.record({
    first: fc
      .record({ ...shown, mention, files: rarely(files), channel: fc.constantFrom('live', 'live', 'live', 'no-such-channel') })
      .map((parts) => ({
        do: 'discord.send',
        with: parts,
      })),
    then: fc.array(fc.oneof(answerMessage, editMessage), { maxLength: 2 }),
    while: fc.array(editMessage, { maxLength: 2 }),
    finally: fc.array(fc.oneof(editMessage, answerMessage, deleteMessage), { maxLength: 3 }),
  });
});

const WARNINGS = ['Spoilers', 'Nudity', '${{ item.title }}', `Spoilers ${'about the end of the game '.repeat(25)}`];
const covered = {
  warning: optional(fc.constantFrom(...WARNINGS)),
  fit: optional(fc.constantFrom('thread', 'error', 'truncate')),
  // Bluesky accepts only some videos a day.
  files: rarely(files),
};

/** Only a server knows whether an account of another one exists, whose mention a reply to followers repeats. */
const written = template.map((one) => one.replaceAll('@ada@example.social', '@ada'));

const postStory = fc.constantFrom('x', 'bluesky', 'mastodon').chain((as) => {
  const isEdited = as !== 'bluesky';
  const visibility = optional(fc.constantFrom('unlisted', 'public', 'followers'));
  const createPost = (what: string, replyTo?: string) =>
    fc
      .record({
        ...covered,
        visibility,
        if: replyTo === undefined ? fc.constant(undefined) : condition,
        text: written,
      })
      .map((one) => ({
        do: 'social.createPost',
        as,
        fit: one.fit,
        if: one.if,
        with: { text: `${unlike(what)} ${one.text}`, warning: one.warning, files: one.files, visibility: one.visibility, replyTo },
      }));
  // X allows five edits of a post.
  const list = as === 'x' ? fc.constant(undefined) : forEach;
  const editPost = (hasAnswer: boolean) =>
    fc
      .record({
        ...covered,
        if: condition,
        forEach: list,
        text: written,
        post: fc.constantFrom(FIRST_ID, ...(hasAnswer ? [ANSWER_ID] : [])),
      })
      .map(({ fit, if: when, forEach: each, ...parts }) => ({
        do: 'social.editPost',
        as,
        if: when,
        forEach: each,
        ...(fit !== 'thread' && { fit }),
        with: { ...parts, text: ofElement(each, parts.text) },
      }));
  const deletePost = fc.record({ if: condition }).map((step) => ({ do: 'social.deletePost', as, ...step, with: { post: FIRST_ID } }));
  const answers = fc.array(fc.oneof(createPost('answer', FIRST_ID), ...(isEdited ? [editPost(false)] : [])), { maxLength: 1 });
  return answers.chain((then) => {
    const edits = isEdited ? [editPost(then[0]?.do === 'social.createPost')] : [];
    return fc.record({
      first: createPost('first'),
      then: fc.constant(then),
      while: edits.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...edits), { maxLength: 2 }),
      finally: fc.array(fc.oneof(createPost('end', FIRST_ID), deletePost, ...edits), { maxLength: 2 }),
    });
  });
});

/** A stream with a random title, and a rule that announces it, follows it and tells its end. */
export const story = fc.record({
  title: text(6).map((one) => one.slice(0, 140).toWellFormed()),
  rule: fc.oneof(chatStory, postStory),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

/** The source of the rule of a story. JSON is YAML. */
export function storySource({ rule: { first, then, while: still, finally: over } }: Story, id: string, paths: CaseFiles): string {
  const when = {
    every: '1m',
    watch: 'streaming.getStreams',
    account: 'twitch',
    with: { users: ['ada'] },
    first: 'fire',
    grace: '0s',
    confirm: 1,
  };
  const named = (section: string, steps: readonly StoryStep[]) =>
    steps.map((step, index) => withFiles({ id: `${section}${index + 1}`, ...step }, paths));
  return JSON.stringify({
    id,
    when,
    then: [withFiles({ id: FIRST, ...first }, paths), ...named('then', then)],
    ...(still.length > 0 && { while: named('while', still) }),
    ...(over.length > 0 && { finally: named('finally', over) }),
  });
}

interface StoryStep {
  readonly id?: string;
  readonly with: object;
}

function withFiles(step: StoryStep, paths: CaseFiles): object {
  const { with: parts } = step;
  const attached = 'files' in parts ? (parts.files as Parameters<typeof fileOf>[0][] | undefined) : undefined; // the generators above made it
  return { ...step, with: { ...parts, ...(attached && { files: attached.map((one) => fileOf(one, paths)) }) } };
}
