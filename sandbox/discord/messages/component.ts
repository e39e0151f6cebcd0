import { z } from 'zod';
import { Address, faultOfAddress } from '../form.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';

export const COMPONENT_TYPES = {
  row: 1,
  button: 2,
  stringSelect: 3,
  textInput: 4,
  userSelect: 5,
  roleSelect: 6,
  mentionableSelect: 7,
  channelSelect: 8,
  section: 9,
  text: 10,
  thumbnail: 11,
  gallery: 12,
  file: 13,
  separator: 14,
  container: 17,
  label: 18,
} as const;

export const LINK_BUTTON = 5;

/** A choice of a select. */
interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly emoji: string | undefined;
  /** Chosen by default. */
  readonly chosen: boolean;
}

/** A picture or a file that a component shows. */
export interface Media {
  readonly url: string;
  readonly description: string | undefined;
  readonly spoiler: boolean;
}

/** A button, a select, a text input, a text, a picture, or a container of them. */
export interface Component {
  readonly type: number;
  readonly id: number | undefined;
  readonly customId: string | undefined;
  readonly label: string | undefined;
  readonly description: string | undefined;
  /** The colour of a button, or the size of a text input. */
  readonly style: number | undefined;
  readonly url: string | undefined;
  readonly emoji: string | undefined;
  readonly placeholder: string | undefined;
  readonly disabled: boolean;
  readonly required: boolean;
  /** The initial text of a text input. */
  readonly value: string | undefined;
  readonly minValues: number;
  readonly maxValues: number;
  readonly choices: readonly Choice[];
  /** The types of channels that a select offers; empty: all. */
  readonly channelTypes: readonly number[];
  /** The chosen ids of a select of roles, channels or members. */
  readonly defaults: readonly { readonly id: string; readonly type: 'user' | 'role' | 'channel' }[];
  /** The Markdown of a text. */
  readonly content: string | undefined;
  readonly media: readonly Media[];
  /** The color of the edge of a container. */
  readonly color: number | undefined;
  /** Whether a separator is a line. */
  readonly divider: boolean;
  readonly inner: readonly Component[];
  /** The button or the picture next to the texts of a section. */
  readonly accessory: Component | undefined;
}

const Emoji = z.object({ name: z.string().nullish() }).nullish();

const Option = z
  .object({
    label: z.string().min(1).max(100),
    value: z.string().min(1).max(100),
    description: z.string().max(100).nullish(),
    emoji: Emoji,
    default: z.boolean().nullish(),
  })
  .transform((wire): Choice => ({
    value: wire.value,
    label: wire.label,
    description: wire.description ?? undefined,
    emoji: wire.emoji?.name ?? undefined,
    chosen: wire.default ?? false,
  }));

const Shown = z.object({ url: Address });
const Description = z.string().max(1024).nullish();

const Wire = z.object({
  type: z.int().min(1).max(30),
  id: z.int().min(0).nullish(),
  custom_id: z.string().min(1).max(100).nullish(),
  label: z.string().nullish(),
  style: z.int().nullish(),
  url: z.string().max(512).nullish(),
  description: z.string().nullish(),
  emoji: Emoji,
  disabled: z.boolean().nullish(),
  required: z.boolean().nullish(),
  placeholder: z.string().max(150).nullish(),
  value: z.string().max(4000).nullish(),
  min_values: z.int().min(0).max(25).nullish(),
  max_values: z.int().min(1).max(25).nullish(),
  options: z.array(Option).max(25).nullish(),
  channel_types: z.array(z.int()).nullish(),
  default_values: z
    .array(z.object({ id: z.string(), type: z.enum(['user', 'role', 'channel']) }))
    .max(25)
    .nullish(),
  content: z.string().min(1).max(4000).nullish(),
  media: Shown.nullish(),
  file: Shown.nullish(),
  items: z
    .array(z.object({ media: Shown, description: Description, spoiler: z.boolean().nullish() }))
    .min(1)
    .max(10)
    .nullish(),
  spoiler: z.boolean().nullish(),
  accent_color: z.int().min(0).max(0xff_ff_ff).nullish(),
  divider: z.boolean().nullish(),
  spacing: z.int().min(1).max(2).nullish(),
});
type Wire = z.output<typeof Wire>;

const { row, button, stringSelect, section, text, thumbnail, gallery, file, separator, container, label } = COMPONENT_TYPES;
const SELECTS: readonly number[] = [3, 5, 6, 7, 8];

/** The types that a component may contain. */
const CONTENTS: Readonly<Record<number, readonly number[]>> = {
  [row]: [button, COMPONENT_TYPES.textInput, ...SELECTS],
  [section]: [text],
  [container]: [row, section, text, gallery, file, separator],
  [label]: [COMPONENT_TYPES.textInput, ...SELECTS, 19, 21, 22, 23],
};
/** The largest number of components in another. */
const MOST: Readonly<Record<number, number>> = { [row]: 5, [section]: 3 };
/** The field that a component must have. */
const REQUIRED: Readonly<Record<number, 'content' | 'media' | 'items' | 'file'>> = {
  [text]: 'content',
  [thumbnail]: 'media',
  [gallery]: 'items',
  [file]: 'file',
};

/** Parses a component. Faults have the path of the invalid value. */
export const Component: z.ZodType<Component> = Wire.extend({
  get components() {
    return z.array(Component).max(40).nullish();
  },
  get component() {
    return Component.nullish();
  },
  get accessory() {
    return Component.nullish();
  },
})
  .superRefine((wire, context) => {
    for (const { path, code, message } of faultsIn(wire)) context.addIssue({ code: 'custom', path, params: { code }, message });
  })
  .transform((wire) => ({
    type: wire.type,
    id: wire.id ?? undefined,
    customId: wire.custom_id ?? undefined,
    label: wire.label ?? undefined,
    description: wire.description ?? undefined,
    style: wire.style ?? undefined,
    url: wire.url ?? undefined,
    emoji: wire.emoji?.name ?? undefined,
    placeholder: wire.placeholder ?? undefined,
    disabled: wire.disabled ?? false,
    required: wire.required ?? true,
    value: wire.value ?? undefined,
    minValues: wire.min_values ?? 1,
    maxValues: wire.max_values ?? 1,
    choices: wire.options ?? [],
    channelTypes: wire.channel_types ?? [],
    defaults: wire.default_values ?? [],
    content: wire.content ?? undefined,
    media: mediaOf(wire),
    color: wire.accent_color ?? undefined,
    divider: wire.divider ?? true,
    accessory: wire.accessory ?? undefined,
    inner: [...(wire.components ?? []), ...(wire.component ? [wire.component] : [])],
  }));

function mediaOf({ media, file: shown, items, description, spoiler }: Wire): readonly Media[] {
  const alone = media ?? shown;
  const all = alone ? [{ media: alone, description, spoiler }] : (items ?? []);
  return all.map((one) => ({ url: one.media.url, description: one.description ?? undefined, spoiler: one.spoiler ?? false }));
}

interface Fault {
  readonly path: string[];
  readonly code: string;
  readonly message: string;
}

/** Unknown, missing and excess parts of a component. */
function faultsIn(
  wire: Wire & { components?: readonly Component[] | null | undefined; accessory?: Component | null | undefined },
): readonly Fault[] {
  const { type, label: caption, style, custom_id, url, accessory } = wire;
  const inner = wire.components ?? [];
  const allowed = CONTENTS[type];
  const most = MOST[type];
  const foreign = allowed ? inner.findIndex((one) => !allowed.includes(one.type)) : -1;
  const required = REQUIRED[type];
  const badAddress = type === button && style === LINK_BUTTON && !/^discord:\/\//iu.test(url ?? '') ? faultOfAddress(url ?? '') : undefined;
  const faults: readonly (Fault | false)[] = [
    ...selectFaults(wire),
    inner.length > 1 &&
      inner.some((one) => SELECTS.includes(one.type)) &&
      type === row && {
        path: ['components', '1'],
        code: 'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
        message: 'The specified component exceeds the maximum width',
      },
    allowed !== undefined &&
      wire.components?.length === 0 && {
        path: ['components'],
        code: 'BASE_TYPE_BAD_LENGTH',
        message: `Must be between 1 and ${most ?? 40} in length.`,
      },
    most !== undefined &&
      inner.length > most && {
        path: ['components'],
        code: 'BASE_TYPE_BAD_LENGTH',
        message: `Must be between 1 and ${most} in length.`,
      },
    foreign >= 0 && {
      path: ['components', String(foreign), 'type'],
      code: 'UNION_TYPE_CHOICES',
      message: `Value of field "type" must be one of (${allowed?.join(', ')}).`,
    },
    required !== undefined && !wire[required] && { path: [required], code: 'BASE_TYPE_REQUIRED', message: 'This field is required' },
    type === section &&
      accessory?.type !== button &&
      accessory?.type !== thumbnail && { path: ['accessory'], code: 'BASE_TYPE_REQUIRED', message: 'This field is required' },
    type === button &&
      (caption?.length ?? 0) > 80 && { path: ['label'], code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 80 or fewer in length.' },
    type === button &&
      (style === LINK_BUTTON ? url : custom_id) === undefined && {
        path: [],
        code: 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED',
        message: 'A custom id is required',
      },
    type === button && !caption && !wire.emoji && { path: ['label'], code: 'BASE_TYPE_REQUIRED', message: 'This field is required' },
    url !== undefined && badAddress !== undefined && { path: ['url'], ...badAddress },
  ];
  return faults.filter((fault) => fault !== false);
}

/** The number of the options of a select, and repeated values in them. */
function* selectFaults({ type, options, max_values: most }: Wire): Generator<Fault> {
  if (type !== stringSelect) return;
  const values = (options ?? []).map(({ value }) => value);
  const least = Math.max(1, most ?? 1);
  if (values.length < least)
    yield { path: ['options'], code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between ${least} and 25 in length.` };
  const repeated = values.findIndex((value, index) => values.indexOf(value) < index);
  if (repeated < 0) return;
  yield {
    path: ['options', String(repeated), 'value'],
    code: 'COMPONENT_OPTION_VALUE_DUPLICATED',
    message: 'The specified option value is already used',
  };
}

/** All components of a message or a modal, in order. */
export function flatten(components: readonly Component[]): readonly Component[] {
  return components.flatMap((component) => [
    component,
    ...flatten(component.inner),
    ...flatten(component.accessory ? [component.accessory] : []),
  ]);
}

/** {@link flatten} for stored components. */
export function readComponents(wire: readonly JsonObject[]): readonly Component[] {
  return flatten(wire.map((component) => Component.parse(component)));
}
