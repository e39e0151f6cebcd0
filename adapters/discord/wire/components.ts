import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Button, LONGEST_KEY, parsePressButtonId, pressButtonId } from '#src/clients/chat/buttons.ts';
import { colorNumber } from '#src/clients/chat/color.ts';
import { acceptedLink, acceptedPicture } from '#src/clients/operation/accepted-address.ts';
import { buttonsOf, type Layout } from '#src/clients/chat/layout.ts';
import { fittedBlocks, MOST_LAYOUT_TEXT } from '#src/clients/operation/text/fitted-blocks.ts';
import { ValidationError } from '#src/errors.ts';
import { cutLabel } from '#src/clients/operation/text/characters.ts';
import { IS_COMPONENTS_V2, type WireMessage } from './message.ts';
import { buttonsIn, type NamedFile, Part, PART_TYPES as TYPES, partsOfFiles, shapeOf, textsIn } from './parts.ts';

const [SECONDARY, LINK] = [2, 5];
const BUTTONS_IN_ROW = 5;
const LONGEST_LABEL = 80;
/** The store keeps deliveries for 90 days, so the buttons of a kept message get a newer key before. */
const LASTING_MS = 30 * 86_400_000;
/** A form of a message with components. */
interface WithComponents {
  readonly components?: readonly object[];
  readonly flags?: number;
}

interface Wanted {
  readonly buttons?: readonly Button[] | undefined;
  readonly layout?: Layout | undefined;
}

interface WithFiles extends Wanted {
  /** The files of the message, which are below the layout. */
  readonly files?: readonly NamedFile[] | undefined;
}

/**
 * The buttons and the layout of a message in Discord's form. The custom id of a button contains the key of the write, by which a press finds
 * what it does. `lead` is a text above the layout, for example its mentions.
 */
export function toWireComponents({ buttons, layout, files = [] }: WithFiles, key: string = randomUUID(), lead?: string): WithComponents {
  if (key.length > LONGEST_KEY) throw new ValidationError(`key: at most ${LONGEST_KEY} characters`, { path: 'key' });
  let place = 0;
  const rows = (all: readonly Button[]): readonly object[] => {
    const parts = all.flatMap((button) => toWireButton(button, { key, place: place++ }));
    return chunks(parts).map((components) => ({ type: TYPES.row, components }));
  };
  if (!layout) return buttons ? { components: rows(buttons) } : {};
  const blocks = fittedBlocks(layout.blocks, MOST_LAYOUT_TEXT - (lead?.length ?? 0)).flatMap((block) =>
    'buttons' in block ? rows(block.buttons) : toWireBlock(block),
  );
  // Discord refuses an empty frame.
  const framed =
    layout.color === undefined || blocks.length === 0
      ? blocks
      : [{ type: TYPES.container, accent_color: colorNumber(layout.color), components: blocks }];
  const above = lead ? [{ type: TYPES.text, content: lead }] : [];
  const below = [...partsOfFiles(files, framed), ...rows(buttons ?? [])];
  return { components: [...above, ...framed, ...below], flags: IS_COMPONENTS_V2 };
}

function toWireBlock(block: Exclude<Layout['blocks'][number], { readonly buttons: unknown }>): readonly object[] {
  if ('separator' in block) return [{ type: TYPES.separator, divider: block.separator === 'line' }];
  if ('pictures' in block) {
    const items = block.pictures.flatMap(({ url, altText }) => {
      const address = acceptedPicture(url);
      return address === undefined ? [] : [{ media: { url: address }, description: altText || undefined }];
    });
    return items.length > 0 ? [{ type: TYPES.gallery, items }] : [];
  }
  const text = { type: TYPES.text, content: block.text };
  const thumbnail = acceptedPicture(block.thumbnail);
  if (thumbnail === undefined) return [text];
  const accessory = { type: TYPES.thumbnail, media: { url: thumbnail }, description: block.altText || undefined };
  return [{ type: TYPES.section, components: [text], accessory }];
}

function toWireButton(button: Button, { key, place }: { readonly key: string; readonly place: number }): readonly object[] {
  const label = cutLabel(button.label.replace(/\s+/gu, ' '), LONGEST_LABEL);
  if (!('url' in button)) return [{ type: TYPES.button, style: SECONDARY, label, custom_id: pressButtonId(button, key, place) }];
  const url = acceptedLink(button.url);
  return url === undefined ? [] : [{ type: TYPES.button, style: LINK, label, url }];
}

function chunks<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / BUTTONS_IN_ROW) }, (_, row) =>
    all.slice(row * BUTTONS_IN_ROW, (row + 1) * BUTTONS_IN_ROW),
  );
}

/** Whether a message has the wanted buttons and layout, whichever write made them. */
export function hasSameComponents({ components, texts }: Pick<WireMessage, 'components' | 'texts'>, wanted: Wanted): boolean {
  // The mentions of a message are above its layout.
  const lead = texts.length > partsOf(wanted).flatMap(textsIn).length ? texts[0] : undefined;
  const all = partsOf(wanted, lead);
  const buttons = all.flatMap(buttonsIn);
  const words = all.flatMap(textsIn);
  return (
    components.length === buttons.length &&
    components.every((one, index) => isSameButton(one, buttons[index] ?? {})) &&
    texts.length === words.length &&
    texts.every((text, index) => text.trim() === words[index]?.trim())
  );
}

/** Whether a message has exactly the parts of the wanted layout; its buttons can differ. */
export function hasSameLayout({ parts }: Pick<WireMessage, 'parts'>, wanted: Wanted): boolean {
  return isDeepStrictEqual(parts.map(shapeOf), partsOf(wanted).map(shapeOf));
}

/**
 * Whether a press of each button has the effect of a newer write. The store forgets old writes, earlier versions sent no effect, and a mute
 * belongs to the episode of its write.
 */
export function hasLastingButtons(
  message: WireMessage,
  { key, nowMs, ...wanted }: Wanted & { readonly key?: string | undefined; readonly nowMs: number },
): boolean {
  const changedAt = message.edited_timestamp ?? message.timestamp;
  const isOld = nowMs - changedAt.getTime() > LASTING_MS;
  const buttons = buttonsOf(wanted);
  return message.components.every(({ customId = '' }) => {
    const id = parsePressButtonId(customId);
    if (id === undefined || (id.effect !== undefined && id.key === key)) return true;
    const button = buttons[id.place];
    return id.effect !== undefined && !isOld && !(button && 'mute' in button);
  });
}

/** The wanted parts as Discord sends them. */
function partsOf(wanted: Wanted, lead?: string): readonly Part[] {
  return z.array(Part).parse(toWireComponents(wanted, 'any', lead).components ?? []);
}

interface ShownButton {
  readonly label?: string | undefined;
  readonly url?: string | undefined;
  readonly customId?: string | undefined;
}

/** Whether two buttons differ only in the key of their write. A button of another kind, for example of a question, is equal to none. */
function isSameButton(sent: ShownButton, wanted: ShownButton): boolean {
  // An earlier version sent the address as the rule has it.
  if (sent.label !== wanted.label || acceptedLink(sent.url) !== wanted.url) return false;
  const [one, other] = [parsePressButtonId(sent.customId ?? ''), parsePressButtonId(wanted.customId ?? '')];
  if (!one || !other) return sent.customId === wanted.customId;
  // A lost message may be from an earlier version, whose ids have no effect.
  return one.place === other.place && (one.effect === undefined || one.effect === other.effect);
}
