import { fc } from '../../../support/property.ts';

/** Texts as streamers and authors of rules write them: mentions, markup, links, emoji, and long words. */
const PIECES = [
  'Ranked until ten',
  '@everyone',
  '@ada',
  '@ada.sandbox.test',
  '@ada@example.social',
  '<@&1202584131993600001>',
  '**bold** _and_ `code`',
  '[a link](https://example.com/a_b)',
  'https://www.twitch.tv/ada/clips?range=7d',
  'Größe ß ẞ „ja“',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '#speedrun',
  '\\',
  '日本語で配信中',
  '||spoiler||',
  '# heading',
];

export const text = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: most }).map((pieces) => pieces.join(' '));

/** Expressions, some of which are empty for a stream. */
const INSERTED = [
  '${{ item.title }}',
  '${{ item.owner.displayName }}',
  '${{ item.url }}',
  '${{ item.language }}',
  '${{ item.tags.join(" ") }}',
  '${{ item.title == "" ? item.title : "" }}',
];

const LONG = 'One sentence more about the stream of this evening, with @ada and https://example.com/watch in it. ';

export const template: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...INSERTED) }, { weight: 1, arbitrary: fc.constantFrom(...PIECES) }), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 8 }) },
      { weight: 1, arbitrary: fc.constant(24) },
    ),
    fc.constantFrom(' ', '\n', '\n\n'),
  )
  .map(([pieces, repeats, gap]) => [...pieces, ...(repeats > 0 ? [LONG.repeat(repeats)] : [])].join(gap));

export function optional<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 });
}

export function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** The files that a case can use. */
export interface CaseFiles {
  /** The path of a picture. */
  readonly picture: string;
  /** The path of a video. */
  readonly video: string;
  /** The path of a file that does not exist. */
  readonly missing: string;
  /** The address of a picture. */
  readonly address: string;
  /** An address without a picture. */
  readonly nowhere: string;
}

/** A file by its name in `CaseFiles`. */
const file = fc.record({
  of: fc.constantFrom<(keyof CaseFiles)[]>('picture', 'picture', 'picture', 'video', 'video', 'address', 'address', 'missing', 'nowhere'),
  altText: optional(fc.constantFrom('A card', '${{ item.title }}')),
});
export const files = fc.array(file, { minLength: 1, maxLength: 2 });

const common = {
  fit: optional(fc.constantFrom('thread', 'error', 'truncate')),
  strict: optional(fc.constant(true)),
  if: optional(fc.constantFrom('item.viewerCount >= 0', 'item.viewerCount >= 0', 'item.viewerCount < 0')),
  onError: rarely(fc.constant('stop')),
};

export const button = fc.oneof(
  fc.record({
    label: fc.constantFrom('Watch', '${{ item.title == "" ? item.title : "" }}'),
    url: fc.constantFrom('${{ item.url }}', 'https://example.com/${{ item.title }}', `https://example.com/${'a'.repeat(600)}`),
  }),
  fc.record({ label: fc.constant('Ping me'), role: fc.constantFrom('Live', 'Live', 'Live', 'Nobody') }),
);

export const embed = fc.record(
  {
    title: template,
    url: fc.constantFrom('${{ item.url }}'),
    description: template,
    image: fc.constantFrom('${{ item.thumbnailUrl }}', 'https://example.com/a.png'),
    footer: template,
    color: fc.constant(0x91_46_ff),
    author: fc.record({ name: template }),
    fields: fc.array(fc.record({ name: template, value: template }), { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
);

/** A card that is too long with the parts that it keeps from a card before it. */
export const longEmbed = fc.record(
  {
    description: fc.constantFrom(LONG.repeat(40), LONG.repeat(30)),
    footer: fc.constant(LONG.repeat(20)),
    fields: fc.array(fc.record({ name: template, value: fc.constant(LONG.repeat(10)) }), { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
);

/** All texts of a layout have one limit. A mention at the start of the first text would look as a ping. */
const blockText = fc
  .oneof({ weight: 3, arbitrary: template }, { weight: 1, arbitrary: fc.constant(LONG.repeat(24)) })
  .map((written) => `Now: ${written}`);
const picture = fc.constantFrom('${{ item.thumbnailUrl }}', 'https://example.com/a.png', 'https://localhost/a.png');

const block = fc.oneof(
  { weight: 3, arbitrary: fc.record({ text: blockText }) },
  { weight: 1, arbitrary: fc.record({ text: blockText, thumbnail: picture }) },
  { weight: 1, arbitrary: fc.record({ pictures: fc.array(fc.record({ url: picture }), { minLength: 1, maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ separator: fc.constant('line') }) },
  { weight: 1, arbitrary: fc.record({ buttons: fc.array(button, { minLength: 1, maxLength: 2 }) }) },
);

/** A message that consists of blocks. */
export const layout = fc.record(
  { color: fc.constant(0x91_46_ff), blocks: fc.array(block, { minLength: 1, maxLength: 4 }) },
  { requiredKeys: ['blocks'] },
);

const forEach = optional(fc.constantFrom('["live", "general"]', 'item.tags', '["live", "no-such-channel"]'));

/** A message of Discord. */
const message = fc
  .record({
    channel: fc.constantFrom('live', 'live', 'live', 'general', 'general', 'moderators', 'guides', 'no-such-channel'),
    isEach: fc.boolean(),
    content: fc.option(template, { nil: undefined, freq: 5 }),
    embed: optional(embed),
    layout: optional(layout),
    buttons: optional(fc.array(button, { minLength: 1, maxLength: 2 })),
    mention: optional(
      fc.array(fc.constantFrom('Live', 'everyone', 'here', 'Nobody', '${{ item.title }}', '${{ item.owner.displayName }}'), {
        minLength: 1,
        maxLength: 2,
      }),
    ),
    files: optional(files),
    forEach,
    ...common,
  })
  .map(({ channel, isEach, content, embed: card, layout: blocks, buttons, mention, files: attached, fit, ...step }) => ({
    do: 'discord.send',
    ...step,
    ...(fit !== 'thread' && { fit }),
    with: {
      channel: step.forEach !== undefined && isEach ? '${{ it }}' : channel,
      ...(blocks ? { layout: blocks } : { content, embed: card }),
      buttons,
      mention,
      files: attached,
    },
  }));

/** A thread with its first message. Its name begins with the name of its channel. */
const thread = fc
  .record({ channel: fc.constantFrom('live', 'general', 'guides', 'no-such-channel'), content: template, forEach, ...common })
  .map(({ channel, content, fit, ...step }) => ({
    do: 'discord.thread',
    ...step,
    ...(fit !== 'thread' && { fit }),
    with: { channel, name: `${channel}-thread`, content, files: undefined },
  }));

/** A post on one of the networks. */
const post = fc
  .record({
    as: fc.constantFrom('x', 'bluesky', 'mastodon'),
    text: template,
    warning: optional(fc.constantFrom('Spoilers', 'Nudity', '${{ item.title }}', `Spoilers about ${LONG.repeat(4)}`)),
    sensitive: optional(fc.boolean()),
    files: optional(files),
    poll: rarely(fc.record({ options: fc.constantFrom(['Yes', 'No'], ['${{ item.title }}', 'No'], ['a'.repeat(40), 'b']) })),
    visibility: rarely(fc.constantFrom('unlisted', 'followers', 'public')),
    language: rarely(fc.constantFrom('de', 'en')),
    quote: optional(fc.constantFrom('https://x.com/ada/status/${{ item.title.size() + 1 }}', 'https://x.com/ada/status/1')),
    filter: rarely(fc.constantFrom('Followers', 'Nobody')),
    forEach: optional(fc.constantFrom('["one", "two"]', '["one", "three", "eleven", "sixteen"]', 'item.tags')),
    ...common,
  })
  .map(({ as, fit, strict, if: condition, onError, forEach: list, text: written, quote, poll, ...parts }) => ({
    do: 'social.createPost',
    as,
    fit,
    strict,
    if: condition,
    onError,
    forEach: list,
    // X refuses a second post with the same text, and a cut text keeps its links.
    with: {
      text: `https://example.com/\${{ rule.id }}${list === undefined ? '' : '/${{ it }}'} ${written}`,
      ...parts,
      poll: pollOf(poll, list),
      ...(as === 'x' && isLink({ ...parts, poll }) && { quote }),
    },
  }));

/** A poll. In a list, X refuses each element for another reason. */
function pollOf(poll: { readonly options: readonly string[] } | undefined, list: string | undefined): object | undefined {
  return poll && list !== undefined ? { options: ['The answer of tonight: ${{ it }}', 'b'] } : poll;
}

/**
 * Whether X sends a quote as a link, because of other parts. A quote is alone if all files are missing, and only the answer of X shows whether
 * the quoted post exists.
 */
function isLink({
  files = [],
  poll,
}: {
  readonly files?: readonly { readonly of: keyof CaseFiles }[] | undefined;
  readonly poll?: unknown;
}): boolean {
  return files.some(({ of }) => of !== 'missing' && of !== 'nowhere') || poll !== undefined;
}

/** A stream with a random title, and steps that announce it. */
export const announcement = fc.record({
  title: text(6).map((one) => one.slice(0, 140).toWellFormed()),
  steps: fc.array(fc.oneof({ weight: 3, arbitrary: message }, { weight: 3, arbitrary: post }, { weight: 1, arbitrary: thread }), {
    minLength: 1,
    maxLength: 3,
  }),
  /** Whether a last step reads the result of the first one. */
  reads: fc.boolean(),
});

type Announcement = typeof announcement extends fc.Arbitrary<infer T> ? T : never;

/** The source of the rule of a case. JSON is YAML. */
export function sourceOf({ steps, reads }: Announcement, id: string, paths: CaseFiles): string {
  const when = { every: '1m', watch: 'streaming.getStreams', account: 'twitch', with: { users: ['ada'] }, first: 'fire' };
  const then = steps.map((step, index) => {
    const { files: attached } = step.with;
    return { id: `step${index + 1}`, ...step, with: { ...step.with, files: attached?.map((one) => fileOf(one, paths)) } };
  });
  const result = steps[0]?.forEach === undefined ? 'steps.step1.id' : 'string(steps.step1.size())';
  // The result of a preview is an example, so the text does not contain it.
  const last = {
    id: 'last',
    do: 'discord.send',
    with: { channel: 'live', content: `\${{ ${result} == "" ? "nothing" : "after the first step" }}` },
  };
  return JSON.stringify({ id, when, then: reads ? [...then, last] : then });
}

export function fileOf({ of, altText }: { readonly of: keyof CaseFiles; readonly altText?: string | undefined }, paths: CaseFiles): object {
  return {
    ...(of === 'picture' || of === 'video' || of === 'missing' ? { path: paths[of] } : { url: paths[of] }),
    altText,
  };
}
