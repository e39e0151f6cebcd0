import { z } from 'zod';
import { markdownText, fileText } from '#src/operation/parameters.ts';

/** The channel of a message. */
export const channel = z
  .string()
  .min(1)
  .describe("A channel of the account's server: its name, its id or its address; also a thread, by the last two.");

/** An existing message. */
export const message = z.string().min(1).describe('A message: the `id` that `send` gave, as `channel/message`, or its address.');

/** The title and the tags of a post in a forum. */
export const forumPost = {
  title: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('What the post is called that it begins, where the channel is a forum; left out, its first words are its title.'),
  tags: z
    .array(z.string().min(1))
    .max(5)
    .optional()
    .describe('What the post is marked with, where the channel is a forum: names or ids of its tags.'),
};

/** The text of a message. */
export const content = markdownText().max(2000).optional().describe('The text, in Markdown. What came from a platform is escaped.');

const card = z.strictObject({
  title: markdownText().max(256).optional().describe('The line at the top.'),
  url: z.string().optional().describe('Where the title leads.'),
  description: markdownText().max(4096).optional().describe('The text below the title.'),
  image: z.string().optional().describe('The address of a large picture.'),
  thumbnail: z.string().optional().describe('The address of a small picture.'),
  pictures: z
    .enum(['link', 'keep'])
    .optional()
    .describe(
      'Whether Discord shows its pictures from where they are, or keeps them: fetched when this is written, and sent along, so that they are still there when the stream is over. Left out: link.',
    ),
  footer: z.string().max(2048).optional().describe('Small print at the bottom; it is not read as Markdown.'),
  color: z.int().min(0).max(0xffffff).optional().describe('The colour of its edge, as 0x9146ff.'),
  fields: z
    .array(
      z.strictObject({
        name: markdownText().max(256).describe('What it is, above the value.'),
        value: markdownText().max(1024).describe('What is said of it; an empty one leaves the field out.'),
        inline: z.boolean().optional().describe('Beside the field before it, where there is room.'),
      }),
    )
    .max(25)
    .optional()
    .describe('Names and values, below the description.'),
});

/** A card to write. */
export interface EmbedDraft extends z.output<typeof card> {}

/** The card of a message. */
export const embed = card.optional().describe('A card below the text.');

/** The members and roles to ping. */
export const mention = z
  .array(z.string().min(1))
  .optional()
  .describe('Who is pinged, and nobody else: roles by name or id, users by id, `everyone`, `here`.');

interface MessageParts {
  readonly content?: unknown;
  readonly embed?: unknown;
  readonly files?: readonly unknown[] | undefined;
}

/** Whether a message has any content. */
export function hasContent({ content: text, embed: card, files = [] }: MessageParts): boolean {
  return text !== undefined || card !== undefined || files.length > 0;
}

const about = {
  altText: z.string().max(1024).optional().describe('What it shows, for who cannot see it.'),
  optional: z.boolean().optional().describe('Whether the message goes out without it where it cannot be attached.'),
};
const address = z.url({ protocol: /^https?$/ });

const File = z.union([
  address.describe('An address.'),
  z.strictObject({ url: address.describe('Where it is.'), ...about }),
  z.strictObject({ path: fileText(z.string().min(1), 'path').describe('Where it is on this machine.'), ...about }),
  z.strictObject({ base64: z.base64().describe('What is in it.'), name: z.string().min(1).describe('What it is called.'), ...about }),
]);
type File = z.output<typeof File>;

/** The attachments of a message. */
export const Files = z
  .array(File)
  .max(10)
  .optional()
  .describe(
    'What is attached: addresses, from http or https, fetched when the message is sent, or { path, altText }. At most 10 MiB each.',
  );

interface Bytes extends Pick<Extract<File, { readonly base64: string }>, 'name' | 'altText' | 'optional'> {
  readonly bytes: Uint8Array;
}

/** A file in code: as in a rule, or by its content. */
export type FileChoice = File | Bytes;

/** The parameter for a file. */
export function fileParam(file: FileChoice): File {
  if (typeof file === 'string' || !('bytes' in file)) return file;
  const { bytes, ...rest } = file;
  return { ...rest, base64: Buffer.from(bytes).toString('base64') };
}
