import { z } from 'zod';
import type { Embed } from '#src/chat/records.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);
const picture = z
  .object({ url: z.string() })
  .nullish()
  .transform((value) => value?.url);

const WireEmbed = z
  .object({
    type: z.string().default('rich'),
    title: text,
    url: text,
    description: text,
    image: picture,
    thumbnail: picture,
    footer: z
      .object({ text: z.string() })
      .nullish()
      .transform((footer) => footer?.text),
    color: z
      .int()
      .nullish()
      .transform((color) => color ?? undefined),
    fields: z
      .array(z.object({ name: z.string(), value: z.string(), inline: z.boolean().optional() }))
      .nullish()
      .transform((fields) => (fields?.length ? fields : undefined)),
  })
  .transform(({ type, ...embed }) => ({ type, embed }));

/** The cards that somebody wrote, read as ours; the previews that Discord adds for addresses are left out. */
export const WireEmbeds = z.array(WireEmbed).transform((embeds) => embeds.flatMap(({ type, embed }) => (type === 'rich' ? [embed] : [])));

/** Our card in Discord's form, without what is empty in it: an expression that finds nothing gives an empty text. */
export function toWireEmbeds({ image, thumbnail, footer, fields, ...same }: Embed): readonly object[] {
  const parts = {
    ...same,
    image: image && { url: image },
    thumbnail: thumbnail && { url: thumbnail },
    footer: footer && { text: footer },
    fields: fields?.filter(({ name, value }) => name !== '' && value !== ''),
  };
  const said = Object.entries(parts).filter(([, value]) => value !== undefined && value !== '');
  return said.length > 0 ? [Object.fromEntries(said)] : [];
}
