import { z } from 'zod';
import { markdownText, fileText, isObject, roleText, webAddress } from '#src/clients/operation/parameters.ts';
import { color } from './color.ts';

/** The channel of a message. */
export const channel = z
  .string()
  .min(1)
  .describe("A channel of the account's server: its name, its id or its address. A thread: its id or its address.");

/** Why a member whose name looks like a handle is not found by it. */
export const NO_NAME = 'A text in the form of a handle is never a name, because any member can take it as a nickname.';

/** Another server of the bot. */
export const server = z
  .string()
  .regex(/^\d{15,20}$/u, { error: 'the id of a server is a long number' })
  .optional()
  .describe(
    "The id of another server that Fanfare serves: `fanfare.yaml` names it, or its section `discord` serves all servers. Absent: the account's server.",
  );

/** An existing message. */
export const message = z.string().min(1).describe('A message: the `id` from `send` (`channel/message`), or its address.');

/** The title and the tags of a post in a forum. */
export const forumPost = {
  title: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('The title of the post, if the channel is a forum. Default: the first words of the text.'),
  tags: z.array(z.string().min(1)).max(5).optional().describe('The tags of the post, if the channel is a forum: names or ids.'),
};

/** The text of a message. */
export const content = markdownText().max(2000).optional().describe('The text, in Markdown. Texts from platforms are escaped.');

const card = z.strictObject({
  author: z
    .strictObject({
      name: z.string().min(1).max(256).describe('The name, without Markdown.'),
      url: webAddress().optional().describe('The address behind the name.'),
      icon: webAddress().optional().describe('The address of a small round picture.'),
    })
    .optional()
    .describe('The person or the channel above the title.'),
  title: markdownText().max(256).optional().describe('The title.'),
  url: webAddress().optional().describe('The address behind the title.'),
  description: markdownText().max(4096).optional().describe('The text below the title.'),
  image: webAddress().optional().describe('The address of a large picture.'),
  altText: z.string().max(1024).optional().describe('A description of the large picture, for people who cannot see it.'),
  thumbnail: webAddress().optional().describe('The address of a small picture.'),
  pictures: z
    .enum(['link', 'keep'])
    .optional()
    .describe(
      '`link`: Discord loads the pictures from their addresses. `keep`: Fanfare uploads the pictures, so they stay after the stream. Default: link.',
    ),
  footer: z.string().max(2048).optional().describe('The small text at the bottom, without Markdown.'),
  timestamp: z
    .union([z.literal(''), z.iso.datetime({ offset: true })])
    .optional()
    .describe('An instant beside the footer. Each reader sees it in their time zone.'),
  color: color.optional().describe('The color of the edge, for example "#9146ff" or 0x9146ff.'),
  fields: z
    .array(
      z.strictObject({
        name: markdownText().max(256).describe('The name above the value.'),
        value: markdownText().max(1024).describe('The value. A field with an empty value is left out.'),
        inline: z.boolean().optional().describe('Whether the field is next to the previous field.'),
      }),
    )
    .max(25)
    .optional()
    .describe('The fields below the description.'),
});

/** A card to write. */
export interface EmbedDraft extends z.output<typeof card> {}

/** The card of a message. */
export const embed = card.optional().describe('A card below the text.');

/** The cards of a message. */
export const embeds = z
  .array(card)
  .max(10)
  .optional()
  .describe('Several cards, instead of `embed`. Together, they have at most 6,000 characters.');

/** The members and roles to ping. */
export const mention = z
  .array(roleText())
  .optional()
  .describe(
    'The only pings: roles by name or id, users by id, `everyone`, `here`. A text from a platform can name a role, but not `everyone` or `here`.',
  );

interface MessageParts {
  readonly content?: unknown;
  readonly embed?: unknown;
  readonly embeds?: readonly unknown[] | undefined;
  readonly buttons?: readonly unknown[] | undefined;
  readonly layout?: unknown;
  readonly files?: readonly unknown[] | undefined;
}

/** Whether a message shows something. Discord refuses a blank text and an empty card. */
export function hasContent({ content: text, embed: card, embeds: cards = [], layout: blocks, files = [] }: MessageParts): boolean {
  const showsText = typeof text === 'string' && text.trim() !== '';
  return showsText || [card, ...cards].some(showsCard) || blocks !== undefined || files.length > 0;
}

/** The parts without which a card shows nothing: Discord refuses a card of nothing but a color and a link. */
const SHOWN_PARTS: ReadonlySet<string> = new Set(['author', 'title', 'description', 'image', 'thumbnail', 'footer', 'fields', 'timestamp']);

function showsCard(shown: unknown): boolean {
  return isObject(shown) && Object.entries(shown).some(([name, part]) => SHOWN_PARTS.has(name) && showsPart(part));
}

function showsPart(part: unknown): boolean {
  if (typeof part === 'string') return part.trim() !== '';
  if (Array.isArray(part)) return part.length > 0;
  return isObject(part) && 'name' in part ? showsPart(part['name']) : part !== undefined;
}

/** Whether an edit names a part of a message. An empty part removes it. */
export function namesPart({ content: text, embed: card, embeds: cards, layout: blocks, buttons }: MessageParts): boolean {
  return [text, card, cards, blocks, buttons].some((part) => part !== undefined);
}

/** Whether the parts of a message exclude each other: a layout is the whole message, and `embed` is the first of `embeds`. */
export function areCompatible({ content: text, embed: card, embeds: cards, layout: blocks }: MessageParts): boolean {
  if (blocks !== undefined && (text !== undefined || card !== undefined || cards !== undefined)) return false;
  return card === undefined || cards === undefined;
}

/** The error of {@link areCompatible}. */
export const INCOMPATIBLE = 'give content with embed or embeds, or a layout alone';

const about = {
  altText: z.string().max(1024).optional().describe('A description for people who cannot see the file.'),
  optional: z.boolean().optional().describe('Whether the message is sent without the file if the file is unavailable.'),
};
const address = z.url({ protocol: /^https?$/ });

const File = z.union(
  [
    address.describe('An address.'),
    z.strictObject({ url: address.describe('The address of the file.'), ...about }),
    z.strictObject({ path: fileText(z.string().min(1), 'path').describe('The path on this machine.'), ...about }),
    z.strictObject({ base64: z.base64().describe('The content.'), name: z.string().min(1).describe('The file name.'), ...about }),
  ],
  { error: 'expected an address, { path }, { url }, or { bytes, name }' },
);
type File = z.output<typeof File>;

/** The attachments of a message. */
export const Files = z
  .array(File)
  .max(10)
  .optional()
  .describe(
    'The attachments: addresses (http or https), which are fetched when the message is sent, or { path, altText }. At most 10 MiB each. A single file has at most 50 MiB in a server with boosts of tier 2, and 100 MiB with tier 3.',
  );

interface Bytes extends Pick<Extract<File, { readonly base64: string }>, 'name' | 'altText' | 'optional'> {
  readonly bytes: Uint8Array;
}

/** A file in code: as in a rule, or by its content. */
export type FileChoice = File | Bytes;

/** The parameter for a file. */
export function fileParam(file: FileChoice): File {
  if (!isObject(file) || !('bytes' in file)) return file;
  const { bytes, ...rest } = file;
  return { ...rest, base64: Buffer.from(bytes).toString('base64') };
}
