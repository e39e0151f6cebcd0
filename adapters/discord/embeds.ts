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

/** A card as Discord has it, read as ours. */
export const WireEmbed = z.object({
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
    .transform((fields) => fields ?? undefined),
});

/** Our card in Discord's form. */
export function toWireEmbed({ image, thumbnail, footer, ...same }: Embed): object {
  return {
    ...same,
    ...(image && { image: { url: image } }),
    ...(thumbnail && { thumbnail: { url: thumbnail } }),
    ...(footer && { footer: { text: footer } }),
  };
}
