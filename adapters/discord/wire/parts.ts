import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';

export const PART_TYPES = {
  row: 1,
  button: 2,
  section: 9,
  text: 10,
  thumbnail: 11,
  gallery: 12,
  file: 13,
  separator: 14,
  container: 17,
} as const;

/** A button on a message. */
export interface Button {
  readonly customId: string | undefined;
  /** The address of a link. */
  readonly url: string | undefined;
  readonly label: string;
}

/** A file of a message. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly altText: string | undefined;
}

interface Media {
  readonly url: string;
  /** The file of the message that the address stands for. */
  readonly attachment_id?: string | null | undefined;
}

interface Item {
  readonly media: Media;
  readonly description?: string | null | undefined;
}

/** A component of a message, with all fields that Discord sent. */
export interface Part {
  readonly type: number;
  readonly id?: number | null | undefined;
  readonly custom_id?: string | null | undefined;
  readonly label?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly media?: Media | null | undefined;
  readonly file?: Media | null | undefined;
  readonly items?: readonly Item[] | null | undefined;
  readonly accent_color?: number | null | undefined;
  readonly divider?: boolean | null | undefined;
  readonly accessory?: Part | null | undefined;
  readonly components?: readonly Part[] | null | undefined;
}

const Media: z.ZodType<Media> = z.looseObject({ url: z.string(), attachment_id: z.string().nullish() });
const Item: z.ZodType<Item> = z.looseObject({ media: Media, description: z.string().nullish() });

export const Part: z.ZodType<Part> = z.looseObject({
  type: z.int(),
  id: z.int().nullish(),
  custom_id: z.string().nullish(),
  label: z.string().nullish(),
  url: z.string().nullish(),
  content: z.string().nullish(),
  description: z.string().nullish(),
  media: Media.nullish(),
  file: Media.nullish(),
  items: z.array(Item).nullish(),
  accent_color: z.int().nullish(),
  divider: z.boolean().nullish(),
  get accessory() {
    return Part.nullish();
  },
  get components() {
    return arrayOf(Part).nullish();
  },
});

export function buttonsIn({ type, custom_id, label, url, components }: Part): readonly Button[] {
  const button = type === PART_TYPES.button ? [{ customId: custom_id ?? undefined, url: url ?? undefined, label: label ?? '' }] : [];
  return [...button, ...(components ?? []).flatMap(buttonsIn)];
}

export function textsIn({ type, content, components }: Part): readonly string[] {
  return [...(type === PART_TYPES.text && content ? [content] : []), ...(components ?? []).flatMap(textsIn)];
}

/** The files of a message that a part shows. Discord does not list them as attachments. */
export function filesIn({ media, file, items, description, accessory, components }: Part): readonly StoredFile[] {
  const single = [media, file].flatMap((one) => (one ? [{ media: one, description }] : []));
  const shown = [...single, ...(items ?? [])].flatMap(({ media: { url, attachment_id: id }, description: altText }) =>
    id ? [{ id, name: nameIn(url), url, altText: altText ?? undefined }] : [],
  );
  return [...shown, ...[...(accessory ? [accessory] : []), ...(components ?? [])].flatMap(filesIn)];
}

function nameIn(url: string): string {
  return URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : '';
}

/** The parts of a message in the form of an edit, without their rows of buttons. A frame that only has buttons is left out. */
export function withoutRows(part: Part): readonly Part[] {
  if (part.type === PART_TYPES.row) return [];
  const inner = part.components?.flatMap(withoutRows);
  if (inner?.length === 0) return [];
  const { media, file, items, accessory } = part;
  return [
    {
      ...part,
      // Discord numbers the parts again.
      id: undefined,
      ...(media && { media: toWritten(media) }),
      ...(file && { file: toWritten(file) }),
      ...(items && { items: items.map((item) => ({ ...item, media: toWritten(item.media) })) }),
      ...(accessory && { accessory: withoutRows(accessory)[0] }),
      ...(inner && { components: inner }),
    },
  ];
}

/** Discord refuses the address of a file of the message in an edit. */
function toWritten({ url, attachment_id: id }: Media): Media {
  return { url: id ? addressOf(nameIn(url)) : url };
}

/** What people see of a part, without its buttons. */
export function shapeOf({ type, content, description, media, file, items, accent_color, divider, accessory, components }: Part): unknown {
  return {
    type,
    text: content?.trim() ?? '',
    media: [...(media ? [{ media, description }] : []), ...(file ? [{ media: file }] : []), ...(items ?? [])].map(shapeOfItem),
    color: accent_color ?? undefined,
    divider: divider ?? undefined,
    parts: [...(accessory ? [accessory] : []), ...(components ?? [])].map(shapeOf),
  };
}

function shapeOfItem({ media: { url }, description }: Item): unknown {
  return { url: URL.canParse(url) ? new URL(url).href : url, altText: description ?? undefined };
}

/** Names of files that Discord shows as pictures and videos. */
const VISUAL = /\.(?:png|jpe?g|gif|webp|avif|mp4|mov|webm)$/iu;

/** A file that a message gets. */
export interface NamedFile {
  readonly name: string;
  readonly altText?: string | undefined;
}

/** The parts that show the files which the other parts do not show: Discord hides other files of a message with a layout. */
export function partsOfFiles(files: readonly NamedFile[], others: readonly object[]): readonly object[] {
  const shown = JSON.stringify(others).toLowerCase();
  const hidden = files.filter(({ name }) => !shown.includes(`"${addressOf(name).toLowerCase()}"`));
  const [visual, other] = [hidden.filter(({ name }) => VISUAL.test(name)), hidden.filter(({ name }) => !VISUAL.test(name))];
  const items = visual.map(({ name, altText }) => ({ media: { url: addressOf(name) }, description: altText || undefined }));
  return [
    ...(items.length > 0 ? [{ type: PART_TYPES.gallery, items }] : []),
    ...other.map(({ name }) => ({ type: PART_TYPES.file, file: { url: addressOf(name) } })),
  ];
}

/** The address of a file in its message. */
function addressOf(name: string): string {
  return `attachment://${name}`;
}
